// SPDX-License-Identifier: Apache-2.0
import type { Doc, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { withSpaces } from '../strings/displayed-word.ts';
import type { Model } from './model-metadata.ts';
import type { Pieces } from './types.ts';

/** The numbers of the tokens that an input of a document holds. */
export const idsIn = (input: JsonObject | undefined): number[] => {
  const data = input?.['data'];
  return Array.isArray(data) ? data.map(Number) : [];
};

/** How many of the tokens that every text has around it come before a text. */
export function inFront(ids: readonly number[], around: readonly number[]): number {
  let first = 0;
  while (first < around.length && ids[first] === around[first]) first++;
  return first;
}

/** The tokens of a text without those that every text has around it; they come first and last. */
export function between({ ids, labels }: Pieces, around: readonly number[]): Pieces {
  const first = inFront(ids, around);
  let last = 0;
  while (last < around.length - first && ids.at(-1 - last) === around.at(-1 - last)) last++;
  return { ids: ids.slice(first, ids.length - last), labels: labels.slice(first, ids.length - last) };
}

/** A document of a model with the tokens of its texts as `putPieces` writes them. */
export function withSpacedLabels(document: Doc): Doc {
  const inputs = Object.entries(document.inputs).map(([name, input]) => {
    const labels = isObject(input) ? input['labels'] : undefined;
    return [name, Array.isArray(labels) ? { ...input, labels: labels.map((one) => withSpaces(String(one))) } : input];
  });
  return { ...document, inputs: Object.fromEntries(inputs) as Doc['inputs'] };
}

/** Puts tokens into a draft: the input that the model reads, and those that are zeros beside it. */
export function putPieces(draft: Doc, { writes }: Model, { ids, labels }: Pieces, input = writes.input): void {
  draft.inputs[input] = { shape: [ids.length, 1], data: ids, labels: labels.map(withSpaces) };
  if (input !== writes.input) return;
  for (const name of writes.zeros ?? []) draft.inputs[name] = { shape: [ids.length, 1], data: ids.map(() => 0) };
}
