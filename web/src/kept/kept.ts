// SPDX-License-Identifier: Apache-2.0
// What has to be kept from word to word: asked of the engine, which derives it from the program.
import { grown } from '../cost/grow.ts';
import type { Client } from '../engine/client.ts';
import type { Doc, Located } from '../engine/types.ts';
import { type Book, isObject } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';

/** A tensor that is kept: all of it, or so many of its rows after each word. */
export interface Held {
  /** In LaTeX, or an output's name. */
  name: string;
  module: string;
  /** Of all of it, or of one row. */
  numbers: number;
  grows: boolean;
  /** Of one row that came so many words before. */
  back?: number;
  /** Where it has no name: the first tensor that is computed from it, in LaTeX. */
  for?: string;
  /** Where it has no name: the last tensor that it is computed from, in LaTeX. */
  from?: string;
  rows?: number[];
}

export interface Kept {
  over: string;
  /** The last result that can run one row at a time. */
  until: string;
  rows: number;
  /** After 1, 2, .. words. */
  numbers: number[];
  bytes: number[];
  tensors: Held[];
  /** The input that is read as a whole, before the first word of `over` is written. */
  besides?: string;
}

export type Answer = Kept | { ok: false; error: Located };

/** So many words are counted one by one. */
export const COUNTED = 96;
const FEWEST = 12;

/** The same document over so many words, and the inputs in which words may arrive: those that it reads come first. */
export function longer(book: Book, document: Doc, words: number): { document: Doc; over: string[] } {
  const made = grown(book, document, words, 1);
  delete made['interventions'];
  // Of a single mechanism the engine finds its only input, or says that there are several.
  if (!isModel(document)) return { document: made, over: [''] };
  const names = Object.keys(made.inputs).filter((name) => Array.isArray(made.inputs[name]!['tokens']));
  const asked = new Set(membersOf(document).map(({ value }) => isObject(value['inputs'])
    && value['inputs']['target']));
  return { document: made, over: names.toSorted((one, other) => Number(asked.has(one)) - Number(asked.has(other))) };
}

/**
 * What a document keeps, or the engine's reason why it keeps nothing; undefined when the client was closed. If a model
 * must read all its words at once, the words that it writes are counted. A model with a table of fewer positions is
 * counted up to fewer words.
 */
export async function keptBy(client: Client, book: Book, document: Doc): Promise<Answer | undefined> {
  let first: Answer | undefined;
  for (let count = COUNTED; count >= FEWEST; count /= 2) {
    const { document: grows, over } = longer(book, document, count);
    const text = JSON.stringify(grows);
    let empty: Kept | undefined;
    for (const name of over) {
      const reply = await client.ask({ kind: 'kept', document: text, over: name });
      if (!reply) return undefined;
      const answer = JSON.parse(reply.text) as Answer;
      first ??= answer;
      if (!('tensors' in answer)) continue;
      if (answer.tensors.length > 0) return name === over[0] ? answer : { ...answer, besides: over[0]! };
      empty ??= answer;
    }
    if (empty) return empty;
  }
  return first;
}

/**
 * The bytes after so many words. Beyond those that were counted, the growth of their last quarter goes on; where that
 * is not the same for every word, nothing is said.
 */
export function bytesAfter({ bytes }: Pick<Kept, 'bytes'>, words: number): number | undefined {
  if (words <= bytes.length) return bytes[words - 1];
  const last = bytes.slice(-Math.max(2, Math.ceil(bytes.length / 4)));
  const steps = last.slice(1).map((now, k) => now - last[k]!);
  const [step] = steps;
  if (step === undefined || steps.some((one) => one !== step)) return undefined;
  return bytes.at(-1)! + step * (words - bytes.length);
}
