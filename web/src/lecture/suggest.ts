// SPDX-License-Identifier: Apache-2.0
// Names for moments: what was changed from one document to the next.
import type { Doc, Json } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import type { Book } from '../state/catalogue.ts';
import { strings } from '../strings/en.ts';
import { phrase } from '../strings/quote.ts';
import { changes } from '../train/changes.ts';
import { words } from './words.ts';

/** So many changes are named; of more it is said how many there are. */
const NAMED = 2;
const MOST_LETTERS = 60;

const cut = (text: string, most = MOST_LETTERS): string =>
  ([...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text);
const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

// The words of the first input that has others.
function newWords(from: Doc, to: Doc): string | undefined {
  for (const [name, input] of Object.entries(to.inputs)) {
    const tokens = input['tokens'];
    if (Array.isArray(tokens) && !same(tokens, from.inputs[name]?.['tokens'])) return tokens.map(String).join(' ');
  }
  return undefined;
}

/** What leads from one document to another, in a few words; undefined where they are the same. */
export function changeOf(book: Book, from: Doc, to: Doc): string | undefined {
  if (same(from as Json, to as Json)) return undefined;
  const title = titleOf(to);
  if (title !== titleOf(from))
    return cut(title === undefined ? newWords(from, to) ?? words().otherDocument : phrase(title));
  const before = new Map(changes(book, to, from).map(({ path, value }) => [path, value]));
  const made = changes(book, from, to);
  const said = made.slice(0, NAMED).map(({ path, name, value }) =>
    words().changedTo(name, before.get(path) ?? '–', value));
  const text = newWords(from, to);
  if (text !== undefined && said.length < NAMED) said.push(words().newWords(text));
  const more = made.length + (text === undefined ? 0 : 1) - said.length;
  const rest = more > 0 ? `${strings.comma}${words().moreChanges(more)}` : '';
  return said.length === 0 ? words().otherNumbers : cut(said.join(strings.comma), MOST_LETTERS - rest.length) + rest;
}

/** A name for a document that follows others, which no other of them has. */
export function nameFor(book: Book, document: Doc, earlier: readonly { name: string; document: Doc }[]): string {
  const last = earlier.at(-1);
  const name = last ? (changeOf(book, last.document, document) ?? words().now) : words().before;
  const taken = new Set(earlier.map((one) => one.name));
  for (let k = 1; ; k++) {
    const tried = k === 1 ? name : `${name} ${k}`;
    if (!taken.has(tried)) return tried;
  }
}
