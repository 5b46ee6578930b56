// SPDX-License-Identifier: Apache-2.0
// A step that the reader does by an answer: one of a list, a number or a word. The page checks it.
import { typedNumber } from '../strings/numerals.ts';
import type { Answered, Condition, Measure } from './types.ts';

const isAnswered = (condition: Condition): condition is Answered =>
  'chosen' in condition || 'typed' in condition || 'word' in condition;

/** The answer that a condition waits for; undefined where the step is done on the page. */
export function answerIn(condition: Condition): Answered | undefined {
  if (isAnswered(condition)) return condition;
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [];
  return parts.map(answerIn).find((found) => found !== undefined);
}

// Case, quotation marks, a full stop and spaces around a word make no other word.
const plain = (text: string): string => text.normalize('NFKC').trim().toLocaleLowerCase()
  .replace(/^[\s"'“”„‚‘’«»]+|[\s"'“”„‚‘’«».]+$/gu, '').replace(/\s+/gu, ' ');

/** Whether a text is a number, which may be written with a comma. */
export const isNumber = (text: string): boolean => Number.isFinite(typedNumber(text));

/** Whether what was chosen (by its place in the list) or typed is right; `value` computes a measure. */
export function isRight(asked: Answered, given: string | number, value: (measure: Measure) => number): boolean {
  if ('chosen' in asked) return given === asked.chosen;
  if ('word' in asked) return asked.word.some((word) => plain(word) === plain(String(given)));
  const right = typeof asked.typed === 'number' ? asked.typed : value(asked.typed);
  // A bound in tenths is no binary number: what is exactly at it is within.
  return Math.abs(typedNumber(String(given)) - right) <= asked.within + 1e-9 * Math.max(1, Math.abs(right));
}
