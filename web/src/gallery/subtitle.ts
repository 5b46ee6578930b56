// SPDX-License-Identifier: Apache-2.0
// What is written below the title of an entry: what it is, and why a search finds it.
import type { Book } from '../state/catalogue.ts';
import { strings } from '../strings/en.ts';
import { phrase } from '../strings/quote.ts';
import { type Entry, fitOf } from './facts.ts';
import { reasonsOf } from './match.ts';
import { madeOf } from './presets.ts';
import { words } from './words.ts';

/** A word of the taxonomy; a mechanism that the survey has no word for is there by its id. */
export function taxonCalled(book: Book, word: string): string {
  const mechanism = book.named(word);
  return mechanism && mechanism.coordinate === null ? mechanism.title : phrase(word);
}

/** The year and the scores of a system, the year and the kind of a mechanism, the parts of a preset. */
export function subtitle(book: Book, { system, mechanism, year, document, facets }: Entry): string {
  if (!system && !mechanism) return document ? madeOf(book, document) : '';
  const parts = system ? facets.score.map((word) => taxonCalled(book, word))
    : [words().kinds[mechanism!.family ?? ''] ?? ''];
  return [year, ...parts].filter(Boolean).join(strings.comma);
}

// One reason is enough to decide by; the first word of a search comes first.
const MOST = 2;

/** Why a search finds an entry, if not by its name; undefined where it does, or where nothing is searched for. */
export function whyFound(entry: Entry, search: string): string | undefined {
  const match = fitOf(entry, search);
  const say = words().why;
  const told = match && [...new Set(reasonsOf(match).map(({ why, text, shown = text }) => {
    if (why === 'known') return say.known(shown);
    if (why === 'part') return say.part(shown);
    if (why === 'group') return say.group(shown);
    return why === 'paper' ? say.paper(shown) : why === 'place' ? say.place(phrase(shown)) : say.says;
  }))];
  return told && told.length > 0 ? told.slice(0, MOST).join(strings.comma) : undefined;
}
