// SPDX-License-Identifier: Apache-2.0
// How the gallery and Questions search.
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { folded } from '../strings/folded.ts';
import { begins, has, wordsIn } from './match.ts';

/** Whether a folded text has every word of the search. */
export const hasEveryWord = (text: string, search: string): boolean => wordsIn(search).every((word) => has(text, word));

/** Whether a search as a whole begins a word of a folded text. */
export const beginsWord = (text: string, search: string): boolean => begins(text, folded(search.trim()));

/** Every mechanism that a document puts to work. */
export function mechanismsOf(book: Book, document: Doc): Mechanism[] {
  const members = membersOf(document).map(({ value }) => book.member(value));
  return [...new Set([...members, ...book.choices(document).map(({ mechanism }) => mechanism)].filter((one) =>
    one !== undefined))];
}
