// SPDX-License-Identifier: Apache-2.0
// What has to be kept from word to word: asked of the engine, which derives it from the program.
import { grown } from '../cost/grow.ts';
import type { Client } from '../engine/client.ts';
import type { Doc, JsonObject, Located } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
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
}

export type Answer = Kept | { ok: false; error: Located };

/** So many words are counted one by one. */
export const COUNTED = 96;

// The inputs that a model is asked about, and not read: the words of its answers.
const targets = (document: Doc): Set<string> => new Set(membersOf(document).flatMap(({ value }) => {
  const { inputs } = value;
  const target = typeof inputs === 'object' && inputs !== null ? (inputs as JsonObject)['target'] : undefined;
  return typeof target === 'string' ? [target] : [];
}));

/** The same document over so many words, and which input they arrive in. Of a model, only what it reads grows. */
export function longer(book: Book, document: Doc, words: number): { document: Doc; over: string } {
  // Of a single mechanism the engine finds its only input, or says that there are several.
  if (!isModel(document)) return { document: grown(book, document, words, 1), over: '' };
  const made = structuredClone(document);
  for (const name of ['title', 'parameters', 'gradient', 'outputs', 'interventions']) delete made[name];
  const asked = targets(document);
  let over = '';
  for (const [name, input] of Object.entries(made.inputs)) {
    const { tokens } = input;
    if (asked.has(name) || !Array.isArray(tokens) || tokens.length === 0) continue;
    input['tokens'] = Array.from({ length: words }, (_, k) => tokens[k % tokens.length]!);
    over ||= name;
  }
  return { document: made, over };
}

/** What a document keeps, or the engine's reason why it keeps nothing; undefined when the client was closed. */
export async function keptBy(client: Client, book: Book, document: Doc): Promise<Answer | undefined> {
  const { document: grows, over } = longer(book, document, COUNTED);
  const reply = await client.ask({ kind: 'kept', document: JSON.stringify(grows), over });
  return reply && (JSON.parse(reply.text) as Answer);
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
