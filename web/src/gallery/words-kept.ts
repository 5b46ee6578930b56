// SPDX-License-Identifier: Apache-2.0
// The reader's own words in a document of the gallery.
import type { Client } from '../engine/client.ts';
import type { Doc } from '../engine/types.ts';
import { isTrained } from '../state/writer.ts';

const texts = ({ inputs }: Doc): string[] =>
  Object.keys(inputs).filter((name) => Array.isArray(inputs[name]!['tokens']));

const tokensOf = (document: Doc, name: string): string[] => document.inputs[name]!['tokens'] as string[];

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

/** The document with the reader's seed, and his words where it reads words. */
export function withTextOf(document: Doc, mine: Doc, most = Infinity): Doc {
  const made = structuredClone(document);
  if (mine['seed'] !== undefined) made['seed'] = mine['seed'];
  for (const [to, from] of pairs(document, mine).slice(0, most)) {
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
 * The document with as many of the reader's words as the engine takes there; `kept` is false where it takes none,
 * because a part of it is made for its own sentence.
 */
export async function keeping(client: Client, document: Doc, mine: Doc): Promise<{ document: Doc; kept: boolean }> {
  const count = pairs(document, mine).length;
  for (const most of [...new Set([count, Math.min(1, count)])].filter((n) => n > 0)) {
    const tried = await answered(client, withTextOf(document, mine, most));
    const answer = await client.ask({ kind: 'run', document: JSON.stringify(tried) });
    if (answer && (JSON.parse(answer.text) as { ok: boolean }).ok) return { document: tried, kept: true };
  }
  return { document: withTextOf(document, mine, 0), kept: false };
}
