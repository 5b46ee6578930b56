// SPDX-License-Identifier: Apache-2.0
// How much a trained model gets right of longer and longer questions: nothing is learned anew, only the task is asked
// at one length.
import type { Lengths } from '../state/trained.ts';
import { set } from '../engine/pointer.ts';
import type { TaskKnob, TrainingDocument } from './messages.ts';
import type { Training } from './training.ts';

/** So many lengths are asked for at most: those that were learned, and up to twice the longest of them. */
const MOST = 10;
const BEYOND = 2;
/** A length is close to those in training if it is at most this much longer. */
const NEAR = 2;

export interface Span {
  least: TaskKnob;
  most: TaskKnob;
}

/** The two whole numbers of a task that say from where to where: they have the same bounds. */
export function spanOf(knobs: readonly TaskKnob[]): Span | undefined {
  const whole = knobs.filter(({ type, minimum, maximum }) => type === 'integer' && minimum !== undefined
    && maximum !== undefined && maximum > minimum + 1);
  for (const [k, least] of whole.entries()) {
    const most = whole.slice(k + 1)
      .find(({ minimum, maximum }) => minimum === least.minimum && maximum === least.maximum);
    if (most) return { least, most };
  }
  return undefined;
}

const valueOf = (document: TrainingDocument, { name, default: usual }: TaskKnob): number => {
  const { task } = document.training as { task?: unknown };
  const given = typeof task === 'object' && task !== null ? (task as Record<string, unknown>)[name] : undefined;
  return typeof given === 'number' ? given : Number(usual);
};

/** The lengths to ask for: those that were learned, and up to twice as far. */
export function lengthsOf(document: TrainingDocument, { least, most }: Span): number[] {
  const from = valueOf(document, least);
  const to = Math.min(valueOf(document, most) * BEYOND, most.maximum!);
  const step = Math.max(1, Math.ceil((to - from) / (MOST - 1)));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + k * step);
}

/** The same document, asking for one length alone. */
export function atLength(document: TrainingDocument, { least, most }: Span, length: number): TrainingDocument {
  const copy = structuredClone(document);
  const { task } = copy.training as { task?: unknown };
  if (typeof task === 'string') set(copy, '/training/task', { type: task });
  for (const { name } of [least, most]) set(copy, `/training/task/${name}`, length);
  return copy;
}

/** Measures a training at each length; what the task cannot ask (too few different questions) is left out. */
export async function byLength(training: Training,
  told: (done: number, all: number) => void): Promise<Lengths | undefined> {
  const { begun } = training;
  const span = spanOf(begun?.knobs ?? []);
  if (!begun?.document || !span) return undefined;
  // With the vocabularies filled in, so that all words keep their weights.
  const { document } = begun;
  const lengths = lengthsOf(document, span);
  const points: Lengths['points'] = [];
  let done = 0;
  await training.tryOut(lengths.map((length) => ({ document: JSON.stringify(atLength(document, span, length)) })),
    ({ at, measures }) => {
    if (measures) points.push({ length: lengths[at]!, accuracy: measures.accuracy, heldOut: measures.heldOut });
    told(++done, lengths.length);
  }, true);
  return { document: JSON.parse(training.document) as TrainingDocument, near: valueOf(document, span.most) + NEAR,
    points };
}
