// SPDX-License-Identifier: Apache-2.0
// Lessons that came by a file or a link: kept while the page is open, and written into a link.
import { deflateSync, strFromU8, strToU8 } from 'fflate';
import type { Json } from '../engine/types.ts';
import { wholeJson } from '../state/parse.ts';
import { fromUrlSafe, urlSafe } from '../files/base64.ts';
import { inflated } from '../files/inflate.ts';
import { sealed, sumOf, unsealed } from '../files/checksum.ts';
import type { Store } from '../state/store.ts';
import { readLesson } from './read.ts';
import type { Lesson } from './types.ts';
import { words } from './words.ts';

const LONGEST_TEXT = 1_000_000;

interface Brought {
  lesson: Lesson;
  /** Behind "lesson=" in its link. */
  link: string;
}
const all = new WeakMap<Store, Brought[]>();

/** The lessons that came to this page. */
export const broughtTo = (store: Store): Lesson[] => (all.get(store) ?? []).map(({ lesson }) => lesson);

/** What is behind "lesson=" in the link of a lesson that came; undefined for one of the page. */
export const linkTo = (store: Store, id: string): string | undefined =>
  all.get(store)?.find(({ lesson }) => lesson.id === id)?.link;

/** The JSON of a lesson as it is in a link. */
export const packed = (value: Json): string =>
  `1.${urlSafe(sealed(deflateSync(strToU8(JSON.stringify(value)), { level: 9 })))}`;

/** The JSON in a link; throws where it is damaged. */
export function unpacked(link: string): Json {
  let found: ReturnType<typeof wholeJson> | undefined;
  try {
    found = wholeJson(strFromU8(inflated(unsealed(fromUrlSafe(link.slice(2))), LONGEST_TEXT)));
  } catch {
    // It is said in the same words, whatever is wrong with it.
  }
  if (found === undefined || found === 'half') throw new Error(words().damaged);
  return found.value;
}

/** Takes a lesson in; the same one again is the same lesson. Throws WrongLesson where it is none. */
export function bring(store: Store, value: Json): Lesson {
  const id = `own-${sumOf(strToU8(JSON.stringify(value))).toString(36)}`;
  const known = all.get(store)?.find(({ lesson }) => lesson.id === id);
  if (known) return known.lesson;
  const lesson = readLesson(value, id);
  all.set(store, [...(all.get(store) ?? []), { lesson, link: packed(value) }]);
  return lesson;
}
