// SPDX-License-Identifier: Apache-2.0
// The order of what runs the other way than the line that it stands in.
import { spokenNow } from './live.ts';
import { isRightToLeft } from './message.ts';

// Unicode's isolate: the order of what stands in it is its own.
const [LEFT_TO_RIGHT, END] = ['\u2066', '\u2069'];
const leftward = (): boolean => isRightToLeft(spokenNow());

/** A number with its signs, for a sentence that may run from right to left. */
export const isolated = (number: string): string => (leftward() ? LEFT_TO_RIGHT + number + END : number);

/** Which way words are read: as the first letter among them. */
export const readingOf = (words: readonly string[]): 'rtl' | 'ltr' =>
  (/\p{Script=Arabic}|\p{Script=Hebrew}/u.test(/\p{L}/u.exec(words.join(' '))?.[0] ?? '') ? 'rtl' : 'ltr');

/** From what looks to what it looks at, as the line of text runs. */
export const arrow = (): string => (leftward() ? '←' : '→');

// Words of a document in Latin letters with what belongs to them, as t' and <end>; numbers as .37.
const FOREIGN = /<?\p{Script=Latin}[\p{Script=Latin}\p{M}\d'’>-]*|\d*\.\d+/gu;

// What is isolated already; Chromium leaves out words of an isolate inside another, in some fonts.
const ALONE = /([\u2066-\u2068][^\u2066-\u2069]*\u2069)/;

/** A sentence with the words of a document in it: where it runs from right to left, each keeps its own order. */
export const mixed = (text: string): string => (leftward()
  ? text.split(ALONE).map((part, k) => (k % 2 === 0 ? part.replace(FOREIGN, isolated) : part)).join('') : text);
