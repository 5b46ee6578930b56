// SPDX-License-Identifier: Apache-2.0
// Texts as the model reads them: pieces of words, and their numbers.
import type { JsonObject } from '../engine/types.ts';
import { maximum } from '../lists.ts';

export interface Cut {
  ids: number[];
  pieces: string[];
}

/** As many pieces of a text are read. */
export const MOST_PIECES = 512;

type Encoding = { ids: number[]; tokens: string[] };

/** The model's tokenizer: Unigram, by @huggingface/tokenizers, which is fetched with the model. */
export class Pieces {
  private constructor(private readonly encode: (text: string) => Encoding) {}

  static async read(json: string): Promise<Pieces> {
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const tokenizer = new Tokenizer(JSON.parse(json) as object, {});
    return new Pieces((text) => tokenizer.encode(text, { add_special_tokens: false }));
  }

  /** The pieces of a text, none of an empty one; white space in a row counts as one space. */
  cut(text: string): Cut {
    const plain = text.trim().replace(/\s+/g, ' ');
    if (plain === '') return { ids: [], pieces: [] };
    const { ids, tokens } = this.encode(plain);
    return { ids: ids.slice(0, MOST_PIECES), pieces: tokens.slice(0, MOST_PIECES) };
  }
}

/** The text that these pieces were cut from, but for its white space. */
export const textOf = (pieces: readonly string[]): string => pieces.join('').replaceAll('▁', ' ').trim();

/** Whether a piece goes on with the word of the piece before. */
export const goesOn = (piece: string, at: number): boolean => at > 0 && !piece.startsWith('▁');

/** Whether most of a text is in no piece that the model knows: number 0 stands for everything unknown. */
export function isForeign({ ids, pieces }: Cut): boolean {
  const unknown = pieces.reduce((sum, piece, k) => sum + (ids[k] === 0 ? [...piece].length : 0), 0);
  const all = pieces.reduce((sum, piece) => sum + [...piece.replaceAll('▁', '')].length, 0);
  return all > 0 && unknown * 2 > all;
}

/** The words of a text by their pieces, without the sign that begins a word. */
function wordsOf(pieces: readonly string[]): string[][] {
  const found: string[][] = [];
  pieces.forEach((piece, at) => {
    const letters = piece.replaceAll('▁', '');
    if (!goesOn(piece, at)) found.push([]);
    if (letters !== '') found.at(-1)!.push(letters);
  });
  return found.filter((word) => word.length > 0);
}

/**
 * Words of which the model knows no stem, as those of other languages: their longest piece has at most half of their
 * letters, or two. Undefined where most of the words are whole enough.
 */
export function inSplinters({ pieces }: Cut): { words: number; broken: number; example: string[] } | undefined {
  const words = wordsOf(pieces);
  const length = (piece: string): number => [...piece].length;
  const broken = words.filter((word) => {
    const [most, all] = [maximum(word.map(length)), length(word.join(''))];
    return word.length > 1 && (most <= 2 || most * 2 <= all);
  });
  return broken.length > 0 && broken.length * 2 >= words.length
    ? { words: words.length, broken: broken.length, example: broken[0]! } : undefined;
}

/** A cut as an input of the document. */
export const asInput = ({ ids, pieces }: Cut): JsonObject =>
  ({ shape: [ids.length, 1], data: [...ids], labels: [...pieces] });

/** The cut that an input of the document holds; undefined for what is none. */
export function ofInput(input: JsonObject | undefined): Cut | undefined {
  const [ids, pieces] = [input?.['data'], input?.['labels']];
  return Array.isArray(ids) && Array.isArray(pieces) && ids.length === pieces.length
    ? { ids: ids.map(Number), pieces: pieces.map(String) } : undefined;
}
