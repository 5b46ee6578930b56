// SPDX-License-Identifier: Apache-2.0
// How the gallery and Questions search.
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { has, wordsIn } from './match.ts';

/** Whether a folded text has every word of the search. */
export const hasEveryWord = (text: string, search: string): boolean => wordsIn(search).every((word) => has(text, word));

/** Every mechanism that a document puts to work. */
export function mechanismsOf(book: Book, document: Doc): Mechanism[] {
  const members = membersOf(document).map(({ value }) => book.member(value));
  return [...new Set([...members, ...book.choices(document).map(({ mechanism }) => mechanism)].filter((one) =>
    one !== undefined))];
}
