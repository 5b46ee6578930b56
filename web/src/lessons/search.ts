// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import { mechanismsOf, namesOfParts, says } from '../gallery/search.ts';
import type { Book } from '../state/catalogue.ts';
import { language } from '../strings/language.ts';
import type { Store } from '../state/store.ts';
import { shown, wordsOf } from './course.ts';
import type { Lesson } from './types.ts';
import { words } from './words.ts';

// The title, what else it is called, and the words of each step.
function saidIn(lesson: Lesson): string[] {
  const { title, also = '', steps } = wordsOf(lesson, language());
  return [title, also, ...steps.flatMap(({ say, do: todo, done }) => [say, todo, done])];
}

const documentsOf = ({ document, steps }: Lesson): Doc[] =>
  [document, ...steps.map((step) => step.document)].filter((one) => one !== undefined);

// The names of the mechanisms that it shows.
const shownIn = (lesson: Lesson, book: Book): string[] =>
  documentsOf(lesson).flatMap((one) => namesOfParts(book, one));

/** The lessons whose words have every word of a search, or else those that show mechanisms with these names. */
export function findLessons(all: readonly Lesson[], search: string, book: Book): Lesson[] {
  const having = (textsOf: (lesson: Lesson) => string[]) =>
    all.filter((lesson) => says(textsOf(lesson).join(' ').toLowerCase(), search));
  const said = having(saidIn);
  return said.length > 0 ? said : having((lesson) => [...saidIn(lesson), ...shownIn(lesson, book)]);
}

/** The parts by whose names a search finds lessons of which no word is about it. */
export function partsFound(found: readonly Lesson[], search: string, book: Book): string[] {
  if (found.some((lesson) => says(saidIn(lesson).join(' ').toLowerCase(), search))) return [];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const parts = found.flatMap(documentsOf).flatMap((one) => mechanismsOf(book, one));
  return [...new Set(parts.filter(({ title, id, aliases }) =>
    words.some((word) => says([title, id, ...aliases].join(' ').toLowerCase(), word))).map(({ title }) => title))];
}

/** What a search finds that no lesson is about, with the dialog that answers it. */
export const PLACES = { model: 'model', exercise: 'share', licence: 'share' } as const;
export const placesFound = (search: string): (keyof typeof PLACES)[] => (search.trim() === '' ? []
  : (Object.keys(PLACES) as (keyof typeof PLACES)[]).filter((id) =>
    says(`${words().places[id]} ${words().placeWords[id]}`.toLowerCase(), search)));

/** The lessons of this page that a search finds, with their titles. */
export const lessonsHere = (store: Store, search: string): { id: string; title: string }[] =>
  findLessons(shown(store), search, store.book).map((lesson) =>
    ({ id: lesson.id, title: wordsOf(lesson, language()).title }));
