// SPDX-License-Identifier: Apache-2.0
// What of a document is trained, and when two documents come to the same training.
import { weightsNamed } from '../engine/load.ts';
import type { Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { tensorsGiven } from '../state/given-tensors.ts';
import type { TrainingDocument } from './messages.ts';

/** What of a document is trained: all but where finished weights come from. Nothing where it says of no training. */
export function learnable(document: Json | undefined): TrainingDocument | undefined {
  if (!isObject(document) || !isObject(document['training']) || document['training']['task'] === undefined)
    return undefined;
  const copy = structuredClone(document);
  const given = copy['parameters'];
  if (isObject(given)) {
    copy['parameters'] = tensorsGiven(given);
    if (Object.keys(copy['parameters']).length === 0) delete copy['parameters'];
  }
  return copy as unknown as TrainingDocument;
}

// The words that modules know come from the task, where a document gives none: they make no other training of it. Nor
// does the order of members, which is another in what the engine gives back.
export const plain = (document: TrainingDocument): string =>
  JSON.stringify(document, (key, value: Json) => (key === 'vocabulary' || key === 'title' ? undefined
    : inOrder(value)));

const inOrder = (value: Json): Json => (isObject(value)
  ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value);

/** The file that finished weights of a document come from. */
export function finishedIn(document: Json): string | undefined {
  const given = isObject(document) ? document['parameters'] : undefined;
  return isObject(given) && typeof given['from'] === 'string' ? given['from'] : undefined;
}

// Whether finished weights came with a link or a file: those that ship are learned anew, where one trains.
const wereBrought = (name: string | undefined): name is string => name?.startsWith('own-') ?? false;

/** The weights that a document came with; nothing where they ship, or are not here. */
export const broughtWith = async (name: string | undefined): Promise<Uint8Array | undefined> =>
  (wereBrought(name) ? weightsNamed(name).catch(() => undefined) : undefined);

export const same = (one: TrainingDocument, other: TrainingDocument): boolean => plain(one) === plain(other);

/** What of a document its first step depends on: with another model, task or start a training begins again. */
export function startOf(document: TrainingDocument): TrainingDocument {
  const { inputs: _watched, outputs: _asked, gradient: _slope, training, ...start } = document;
  return { ...start, training: { task: training['task'] } } as unknown as TrainingDocument;
}
