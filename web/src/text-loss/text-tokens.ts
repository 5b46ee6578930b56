// SPDX-License-Identifier: Apache-2.0
// A reader's text as the tokens of a model.
import type { Model } from '../models/model-metadata.ts';
import { between, inFront } from '../models/put-tokens.ts';
import type { Failed, Pieces } from '../models/types.ts';
import { writing } from '../models/writing.ts';
import { typedNumbers } from '../strings/numerals.ts';

export interface TextTokens extends Pieces {
  /** The tokens that the model expects before each text. */
  begin: number[];
}

/** 'ids': the text has to be token numbers below `rows`, and is not. */
export async function tokensOf(model: Model, text: string, rows: number):
  Promise<TextTokens | Failed | 'ids' | undefined> {
  const { start = [] } = model.writes;
  if (!model.tokenizer) {
    const ids = typedNumbers(text);
    return ids.every((id) => Number.isInteger(id) && id >= 0 && id < rows)
      ? { ids, labels: ids.map((id) => `#${id}`), begin: [...start] } : 'ids';
  }
  const [around, split] = [await writing().encode(model, ''), await writing().encode(model, text)];
  if (!around || !split) return undefined;
  if ('error' in around) return around;
  if ('error' in split) return split;
  // A decoder begins with its own tokens, whatever its tokenizer puts around a source.
  return { ...between(split, around.ids),
    begin: start.length > 0 ? [...start] : split.ids.slice(0, inFront(split.ids, around.ids)) };
}
