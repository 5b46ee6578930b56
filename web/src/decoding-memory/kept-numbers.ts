// SPDX-License-Identifier: Apache-2.0
// What has to be kept from word to word: asked of the engine, which derives it from the program.
import { grown, piecesAgain } from '../cost/grow.ts';
import type { Client } from '../engine/client.ts';
import type { Doc, Kept as Counted, Located } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { isModel, membersOf } from '../state/model.ts';
import { reasonOf } from '../state/choice-rescue.ts';

export interface Kept extends Counted {
  /** The input that is read as a whole, before the first word of `over` is written. */
  besides?: string;
}

export type Answer = Kept | { ok: false; error: Located };

/** So many words are counted one by one. */
export const COUNTED = 96;
const FEWEST = 12;

export interface Longer {
  document: Doc;
  /** The inputs in which words may arrive. What a model writes arrives in the answer's; else any may be it. */
  over: string[];
  /** The input that is read as a whole, where words arrive in this one. */
  besides(over: string): string | undefined;
}

/** The same document over so many words, and the inputs in which they may arrive. */
export function longer(book: Book, document: Doc, words: number): Longer {
  // Without its losses: an answer that only these read is no input of what writes.
  const made = grown(book, document, words, 1);
  delete made['interventions'];
  // Of a single mechanism the engine finds its only input, or says that there are several.
  if (!isModel(document)) return { document: made, over: [''], besides: () => undefined };
  const names = Object.keys(made.inputs).filter((name) => Array.isArray(made.inputs[name]!['tokens'])
    || piecesAgain(made.inputs[name]!, words));
  const asked = new Set(membersOf(document).map(({ value }) => isObject(value['inputs'])
    && value['inputs']['target']));
  const read = names.filter((name) => !asked.has(name));
  // A model that is asked for what it reads, as one that fills in words, reads nothing else.
  const answers = read.length > 0 ? names.filter((name) => asked.has(name)) : [];
  return { document: made, over: answers.length > 0 ? answers : names,
    besides: (over) => [(answers.length > 0 ? read : names)[0]].find((name) => name !== over) };
}

// The module of a result, counted in the order of the document: the engine calls it "decoder.context".
function placeOf(document: Doc, until: string): number {
  return membersOf(document).findLastIndex(({ name }) => until.startsWith(`${name}.`));
}

/**
 * What a document keeps to write, or the engine's reason why it keeps nothing; undefined when the client was closed.
 * Where no input is known as the answer, words arrive in the one by which most of the model can be computed word by
 * word: that of the part that writes, and not of what it reads. A model with a table of fewer positions is counted up
 * to fewer words.
 */
export async function keptBy(client: Client, book: Book, document: Doc): Promise<Answer | undefined> {
  let first: Answer | undefined;
  for (let count = COUNTED; count >= FEWEST; count /= 2) {
    const { document: grows, over, besides } = longer(book, document, count);
    const text = JSON.stringify(grows);
    let best: Kept | undefined;
    for (const name of over) {
      const reply = await client.ask({ kind: 'kept', document: text, over: name });
      if (!reply) return undefined;
      const answer = JSON.parse(reply.text) as Answer;
      first ??= answer;
      if ('tensors' in answer && (!best || further(grows, answer, best))) best = answer;
    }
    if (!best) continue;
    const whole = best.tensors.length > 0 ? besides(best.over) : undefined;
    return whole === undefined ? best : { ...best, besides: whole };
  }
  return first;
}

// Where nothing is kept, nothing runs word by word that has a past.
function further(document: Doc, one: Kept, other: Kept): boolean {
  const [holds, held] = [one.tensors.length > 0, other.tensors.length > 0];
  return holds === held ? placeOf(document, one.until) > placeOf(document, other.until) : holds;
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

/** The sizes at which a model that reads at most so many words is drawn, and those at which it is listed. */
export function sizesUpTo(most: number, sizes: readonly number[]): number[] {
  const fitting = sizes.filter((n) => n <= most);
  return fitting.length === sizes.length || fitting.includes(most) ? fitting : [...fitting, most];
}

// The page's sentence says already what cannot run, and offers the mask itself.
const SAID = /^(?:"[^"]*": )?(?:it cannot run one row at a time: )?/;
const ADVICE = '; add a causal mask';

/** Why a document keeps nothing, without what the sentence around it says, and whether a causal mask would help. */
export function whyNot(message: string): { why: string; mask: boolean } {
  const why = reasonOf(message).replace(SAID, '');
  return { why: why.replace(ADVICE, ''), mask: why.endsWith(ADVICE) };
}
