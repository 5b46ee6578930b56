// SPDX-License-Identifier: Apache-2.0
// The reader's own words in a document of the gallery.
import type { Client } from '../engine/client.ts';
import type { Doc } from '../engine/types.ts';
import { spelled, unknownIn, vocabularyOf } from '../state/vocabulary.ts';
import type { Book } from '../state/catalogue.ts';
import { isTrained } from '../state/writer.ts';

const texts = ({ inputs }: Doc): string[] =>
  Object.keys(inputs).filter((name) => Array.isArray(inputs[name]!['tokens']));

const tokensOf = (document: Doc, name: string): string[] => document.inputs[name]!['tokens'] as string[];

/** How many of the reader's words a model knows, where it knows fewer than half of them. */
export interface FewKnown {
  known: number;
  of: number;
}

// Of words that a model does not know it would read nothing but that they are unknown.
function fewKnown(book: Book, document: Doc, input: string, words: readonly string[]): FewKnown | undefined {
  const list = vocabularyOf(book, document, input);
  const unknown = list ? unknownIn(spelled(words, list), list).length : 0;
  const of = new Set(spelled(words, list)).size;
  return 2 * unknown > of ? { known: of - unknown, of } : undefined;
}

// A language model is told at each word the next one: the same words, one place on.
const follows = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.length > 1 && one.slice(0, -1).join('\n') === other.slice(1).join('\n');

// The inputs of words, without those that follow another.
const leading = (document: Doc): string[] => texts(document).filter((name, _, all) => !all.some((other) =>
  other !== name && follows(tokensOf(document, name), tokensOf(document, other))));

/** The inputs of words of a document, each with the reader's that goes there: of the same name, or else the first. */
function pairs(document: Doc, mine: Doc): [to: string, from: string][] {
  const [wanted, own] = [leading(document), leading(mine)];
  const same = wanted.filter((name) => own.includes(name));
  if (same.length > 0) return same.map((name) => [name, name]);
  return wanted.slice(0, 1).flatMap((name) => (own[0] === undefined ? [] : [[name, own[0]]]));
}

/** The document with the reader's seed, and the reader's words where it reads words. */
export function withTextOf(document: Doc, mine: Doc, into = pairs(document, mine)): Doc {
  const made = structuredClone(document);
  if (mine['seed'] !== undefined) made['seed'] = mine['seed'];
  for (const [to, from] of into) {
    const words = tokensOf(mine, from);
    made.inputs[to]!['tokens'] = [...words];
    for (const name of texts(document)) {
      const before = tokensOf(document, name);
      if (name !== to && follows(before, tokensOf(document, to)))
        made.inputs[name]!['tokens'] = [...words.slice(1), before.at(-1)!];
    }
  }
  return made;
}

interface Written {
  input: string;
  tokens: string[];
}

// A trained model answers the words that it is given.
async function answered(client: Client, document: Doc): Promise<Doc> {
  if (!isTrained(document)) return document;
  const answer = await client.ask({ kind: 'written', document: JSON.stringify(document) });
  const written = answer && JSON.parse(answer.text) as Written | { error: unknown };
  if (!written || !('tokens' in written)) return document;
  const made = structuredClone(document);
  made.inputs[written.input]!['tokens'] = written.tokens;
  return made;
}

/**
 * The document with as many of the reader's words as the model knows and the engine takes there; `kept` is false where
 * it is none: the model knows too few of them (`few`), or a part of it is made for its own sentence.
 */
export async function keeping(client: Client, book: Book, document: Doc,
  mine: Doc): Promise<{ document: Doc; kept: boolean; few?: FewKnown }> {
  const all = pairs(document, mine);
  const few = all.map(([to, from]) => fewKnown(book, document, to, tokensOf(mine, from)));
  const known = all.filter((_, k) => !few[k]);
  const none = { document: withTextOf(document, mine, []), kept: false };
  // An answer to words that are not kept is none.
  if (few[0]) return { ...none, few: few[0] };
  for (const most of [...new Set([known.length, Math.min(1, known.length)])].filter((n) => n > 0)) {
    const tried = await answered(client, withTextOf(document, mine, known.slice(0, most)));
    const answer = await client.ask({ kind: 'run', document: JSON.stringify(tried) });
    if (answer && (JSON.parse(answer.text) as { ok: boolean }).ok) return { document: tried, kept: true };
  }
  return none;
}
