// SPDX-License-Identifier: Apache-2.0
// How the gallery and Questions search.
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';

// Of several things as of one: "embeddings" are found where there is an embedding.
const has = (text: string, word: string): boolean => text.includes(word)
  || (word.length > 3 && word.endsWith('s') && text.includes(word.slice(0, -1)));

/** Whether a text, in small letters, has every word of the search. */
export const says = (text: string, search: string): boolean =>
  search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => has(text, word));

/** Every mechanism that a document puts to work. */
export function mechanismsOf(book: Book, document: Doc): Mechanism[] {
  const members = membersOf(document).map(({ value }) => book.member(value));
  return [...new Set([...members, ...book.choices(document).map(({ mechanism }) => mechanism)].filter((one) =>
    one !== undefined))];
}

/** What people call the mechanisms of a document. */
export const namesOfParts = (book: Book, document: Doc): string[] =>
  mechanismsOf(book, document).flatMap(({ title, id, aliases }) => [title, id, ...aliases]);
