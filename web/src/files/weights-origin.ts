// SPDX-License-Identifier: Apache-2.0
// How weights came to be: it lies in the metadata of their file, so that it stays with them wherever they go.
import { type Fitted, readWeights, writeWeights } from './weights.ts';

/** What held-out examples said of the weights, and at which step of the training. */
export interface MeasuredHere {
  step: number;
  heldOut: number;
  /** Shares of words right, and of answers right to the last word. */
  accuracy: number;
  exact: number;
}

export interface Made {
  /** The file that the weights came from, by the name that its reader gave it. */
  file?: string;
  /** How many steps they were trained, where that is known. */
  steps?: number;
  /** Where it is not: how many were taken here since. */
  here?: number;
  measured?: MeasuredHere;
  /** It was measured by whoever wrote the file. */
  theirs?: true;
}

/** The member of the metadata that holds it, as JSON. */
const MEMBER = 'trained';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

function measuredIn(value: unknown): MeasuredHere | undefined {
  const { step, heldOut, accuracy, exact } = (value ?? {}) as Partial<MeasuredHere>;
  return isCount(step) && isCount(heldOut) && isShare(accuracy) && isShare(exact)
    ? { step, heldOut, accuracy, exact } : undefined;
}

/** What the metadata of a file says. Any program may have written it: what is of another form says nothing. */
export function madeIn(metadata: Readonly<Record<string, unknown>>): Made {
  let found: unknown;
  try {
    found = JSON.parse(String(metadata[MEMBER]));
  } catch {
    return {};
  }
  const { file, steps, here, measured: said, theirs } = (found ?? {}) as Partial<Made>;
  const measured = measuredIn(said);
  return { ...(typeof file === 'string' ? { file } : {}), ...(isCount(steps) ? { steps } : {}),
    ...(isCount(here) ? { here } : {}), ...(measured ? { measured } : {}),
    ...(theirs === true ? { theirs } : {}) };
}

/** The metadata with more said of how the weights came to be. */
export const withMade = (metadata: Readonly<Record<string, string>>, more: Made): Record<string, string> =>
  ({ ...metadata, [MEMBER]: JSON.stringify({ ...madeIn(metadata), ...more }) });

/** The same weights in a file that says more of how they came to be. */
export function madeFile(bytes: Uint8Array, more: Made): Uint8Array {
  const { metadata, tensors } = readWeights(bytes);
  return writeWeights({ metadata: withMade(metadata, more), tensors });
}

/** A file that somebody chose, with its name in it; what cannot be read stays as it is, for others to refuse. */
export function namedFile(bytes: Uint8Array, file: string): Uint8Array {
  try {
    return madeFile(bytes, { file, theirs: true });
  } catch {
    return bytes;
  }
}

/** What a model kept of other weights, and how those came to be. */
export type FittedMade = Fitted & { made: Made };

/**
 * How weights came to be after so many steps of a training that may have begun with others: those of a file count with
 * it while none of them had to be drawn anew.
 */
export function madeAfter(step: number, began: FittedMade | undefined, measured: MeasuredHere | undefined): Made {
  const { file, steps }: Made = !began || began.drawn.length > 0 ? { steps: 0 } : began.made;
  const said = measured ? { measured: { step: (steps ?? 0) + measured.step, heldOut: measured.heldOut,
    accuracy: measured.accuracy, exact: measured.exact } } : {};
  return { ...(file === undefined ? {} : { file }),
    ...(steps !== undefined ? { steps: steps + step } : step > 0 ? { here: step } : {}), ...said };
}
