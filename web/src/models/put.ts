// SPDX-License-Identifier: Apache-2.0
import type { Doc, JsonObject } from '../engine/types.ts';
import type { Model } from './known.ts';
import type { Failed, Pieces } from './types.ts';
import { writing } from './writing.ts';

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

/** The tokens with which a decoder begins its text. */
export async function startsAgain(model: Model): Promise<Pieces | Failed | undefined> {
  const ids = model.writes.start ?? [];
  if (!model.tokenizer) return { ids, labels: ids.map((id) => `#${id}`) };
  const shown = await writing().decode(model, ids);
  return shown && ('error' in shown ? shown : { ids, labels: shown.labels });
}
