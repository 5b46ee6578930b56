// SPDX-License-Identifier: Apache-2.0
// The reader's own words in a document of the gallery.
import type { Client } from '../engine/client.ts';
import type { Doc } from '../engine/types.ts';
import { isTrained } from '../state/writer.ts';

const texts = ({ inputs }: Doc): string[] =>
  Object.keys(inputs).filter((name) => Array.isArray(inputs[name]!['tokens']));

/** The inputs of words of a document, each with the one of the reader's that goes there: of the same name, or the next. */
function pairs(document: Doc, mine: Doc): [to: string, from: string][] {
  const [wanted, own] = [texts(document), texts(mine)];
  const same = wanted.filter((name) => own.includes(name));
  if (same.length > 0) return same.map((name) => [name, name]);
  return wanted.slice(0, 1).flatMap((name) => (own[0] === undefined ? [] : [[name, own[0]]]));
}

/** The document with the reader's seed, and his words where it reads words. */
export function withTextOf(document: Doc, mine: Doc, most = Infinity): Doc {
  const made = structuredClone(document);
  if (mine['seed'] !== undefined) made['seed'] = mine['seed'];
  for (const [to, from] of pairs(document, mine).slice(0, most))
    made.inputs[to]!['tokens'] = structuredClone(mine.inputs[from]!['tokens']!);
  return made;
}

interface Written {
  input: string;
  tokens: string[];
}

// A trained model answers the words that it is given.
async function answered(client: Client, document: Doc): Promise<Doc> {
  if (!isTrained(document)) return document;
  const answer = await client.send({ kind: 'written', document: JSON.stringify(document) });
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
    const answer = await client.send({ kind: 'other', document: JSON.stringify(tried) });
    if (answer && (JSON.parse(answer.text) as { ok: boolean }).ok) return { document: tried, kept: true };
  }
  return { document: withTextOf(document, mine, 0), kept: false };
}
