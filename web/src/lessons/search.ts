// SPDX-License-Identifier: Apache-2.0
// How Questions are searched: lessons, places of the page and the questions that are asked most, the best first.
import type { Doc } from '../engine/types.ts';
import type { DialogName } from '../dialog/list.ts';
import { type Door, DOORS } from '../first/questions.ts';
import { type Field, keptOf, matchOf, meantBy, type Why } from '../gallery/match.ts';
import { mechanismsOf, hasEveryWord } from '../gallery/search.ts';
import type { Book } from '../state/catalogue.ts';
import { strings } from '../strings/en.ts';
import { folded } from '../strings/folded.ts';
import { language } from '../strings/language.ts';
import type { Store } from '../state/store.ts';
import { availableLessons, wordsOf } from './course.ts';
import type { Lesson } from './types.ts';
import { words } from './words.ts';

const as = (why: Why, texts: readonly string[]): Field[] => texts.map((text) => ({ why, text }));

// Its title, what else it is called (also as one of the questions that are asked most), and the words of each step.
function saidIn(lesson: Lesson): Field[] {
  const { title, also = '', steps } = wordsOf(lesson, language());
  const doors = DOORS.filter((door) => door.lesson === lesson.id).flatMap(({ id }) => [strings.doors[id],
    strings.behind[id]]);
  return [...as('name', [title]), ...as('known', [...also.split(/[,،] */), ...doors]),
    ...as('says', steps.flatMap(({ say, do: todo, done }) => [say, todo, done]))];
}

const documentsOf = ({ document, steps }: Lesson): Doc[] =>
  [document, ...steps.map((step) => step.document)].filter((one) => one !== undefined);

// The names of the mechanisms that it shows.
const shownIn = (lesson: Lesson, book: Book): Field[] => documentsOf(lesson).flatMap((one) => mechanismsOf(book, one))
  .flatMap(({ title, id, aliases }) => as('part', [title, id, ...aliases]));

/** What a search finds that no lesson is about, with the dialog that answers it. */
export const PLACES = { model: 'model', exercise: 'share', licence: 'share', privacy: 'share', words: 'bring',
  picture: 'take', code: 'take', present: 'lecture', cost: 'cost', predict: 'presets', systems: 'presets',
} as const satisfies Record<string, DialogName>;
export type Place = keyof typeof PLACES;
const places = Object.keys(PLACES) as Place[];

/** What answers a search: a lesson, a place of the page, or a question that many ask and that no lesson answers. */
export type Hit = { lesson: Lesson } | { place: Place } | { door: Door };

const saidOf = (hit: Hit): Field[] => {
  if ('lesson' in hit) return saidIn(hit.lesson);
  if ('place' in hit) return [...as('name', [words().places[hit.place]]),
    ...as('known', words().placeWords[hit.place].split(', '))];
  const { id } = hit.door;
  return [...as('name', [strings.doors[id]]), ...as('known', [id, strings.behind[id],
    ...(words().doorWords[id]?.split(', ') ?? [])])];
};

export interface Answer {
  hits: Hit[];
  /** The words that the hits have, if they do not have all. */
  kept?: string;
}

function ranked<One extends Hit>(all: readonly One[], search: readonly string[], typed: string,
  fieldsOf: (hit: One) => Field[]): One[] {
  return all.flatMap((hit) => {
    const match = matchOf(fieldsOf(hit), search, typed);
    return match ? [{ hit, score: match.score }] : [];
  }).toSorted((a, b) => b.score - a.score).map(({ hit }) => hit);
}

// What is about all of these words, or else shows parts of these names.
function found<One extends Hit>(all: readonly One[], search: readonly string[], book: Book,
  typed = search.join(' ')): One[] {
  const said = ranked(all, search, typed, saidOf);
  return said.length > 0 ? said : ranked(all, search, typed, (hit) =>
    [...saidOf(hit), ...('lesson' in hit ? shownIn(hit.lesson, book) : [])]);
}

/** What answers a search, the best first; of a search that nothing answers as a whole, what answers a part of it. */
export function answersTo(all: readonly Lesson[], search: string, book: Book): Answer {
  const hits: Hit[] = [...all.map((lesson) => ({ lesson })), ...places.map((place) => ({ place })),
    ...DOORS.filter(({ lesson }) => lesson === undefined).map((door) => ({ door }))];
  const meant = meantBy(search);
  if (meant.length === 0) return { hits: [] };
  const whole = found(hits, meant, book, search);
  if (whole.length > 0) return { hits: whole };
  const kept = keptOf(meant.filter((word) => word.length > 2), (some) => ranked(hits, some, '', saidOf).length);
  return kept.length > 0 ? { hits: found(hits, kept, book), kept: kept.join(' ') } : { hits: [] };
}

/** The lessons that are about all words of a search, or else those that show mechanisms with these names. */
export const findLessons = (all: readonly Lesson[], search: string, book: Book): Lesson[] =>
  found(all.map((lesson) => ({ lesson })), meantBy(search), book).map(({ lesson }) => lesson);

/** The parts by whose names a search finds lessons of which no word is about it. */
export function partsFound(lessons: readonly Lesson[], search: string, book: Book): string[] {
  const meant = meantBy(search);
  if (lessons.some((lesson) => matchOf(saidIn(lesson), meant))) return [];
  const parts = lessons.flatMap(documentsOf).flatMap((one) => mechanismsOf(book, one));
  return [...new Set(parts.filter(({ title, id, aliases }) =>
    meant.some((word) => hasEveryWord(folded([title, id, ...aliases].join(' ')), word))).map(({ title }) => title))];
}

/** The lessons of this page that a search finds, with their titles. */
export const lessonsHere = (store: Store, search: string): { id: string; title: string }[] =>
  findLessons(availableLessons(store), search, store.book).map((lesson) =>
    ({ id: lesson.id, title: wordsOf(lesson, language()).title }));
