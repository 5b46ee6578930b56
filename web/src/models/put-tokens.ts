// SPDX-License-Identifier: Apache-2.0
import type { Doc, JsonObject } from '../engine/types.ts';
import type { Model } from './model-metadata.ts';
import type { Pieces } from './types.ts';

/** The numbers of the tokens that an input of a document holds. */
export const idsIn = (input: JsonObject | undefined): number[] => {
  const data = input?.['data'];
  return Array.isArray(data) ? data.map(Number) : [];
};

/** Puts tokens into a draft: the input that the model reads, and those that are zeros beside it. */
export function putPieces(draft: Doc, { writes }: Model, { ids, labels }: Pieces, input = writes.input): void {
  draft.inputs[input] = { shape: [ids.length, 1], data: ids, labels };
  if (input !== writes.input) return;
  for (const name of writes.zeros ?? []) draft.inputs[name] = { shape: [ids.length, 1], data: ids.map(() => 0) };
}
