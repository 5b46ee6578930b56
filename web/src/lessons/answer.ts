// SPDX-License-Identifier: Apache-2.0
// A step that the reader does by an answer: one of a list, a number or a word. The page checks it.
import { asTyped, typedNumber } from '../strings/numerals.ts';
import type { Answered, Condition, Measure } from './types.ts';

const isAnswered = (condition: Condition): condition is Answered =>
  'chosen' in condition || 'typed' in condition || 'word' in condition;

/** The answer that a condition waits for; undefined where the step is done on the page. */
export function answerIn(condition: Condition): Answered | undefined {
  if (isAnswered(condition)) return condition;
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [];
  return parts.map(answerIn).find((found) => found !== undefined);
}

// Case, quotation marks, a full stop and spaces around a word make no other word; of a full stop itself they would
// leave nothing.
function plain(text: string): string {
  const whole = text.normalize('NFKC').trim().toLowerCase().replace(/[‘’ʼ]/gu, "'").replace(/\s+/gu, ' ');
  return whole.replace(/^[\s"'“”„‚«»]+|[\s"'“”„‚«».]+$/gu, '') || whole;
}

// 38,400 and 38.400,5: three digits between one kind of sign, then perhaps the decimal sign.
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,٬'’\s])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

/**
 * The numbers that a typed text may be, the likelier first: 38,400 is 38.4 where the comma is the decimal sign and
 * 38400 where it is between thousands.
 */
export function readings(text: string): number[] {
  const plainly = asTyped(text);
  const sign = GROUPED.exec(plainly)?.[1];
  const grouped = sign === undefined ? NaN : typedNumber(plainly.split(sign).join(''));
  return [typedNumber(plainly), grouped].filter(Number.isFinite);
}

/** Whether a text is a number, which may be written with a comma. */
export const isNumber = (text: string): boolean => readings(text).length > 0;

/** Whether what was chosen (by its place in the list) or typed is right; `value` computes a measure. */
export function isRight(asked: Answered, given: string | number, value: (measure: Measure) => number): boolean {
  if ('chosen' in asked) return given === asked.chosen;
  if ('word' in asked) return asked.word.some((word) => plain(word) === plain(String(given)));
  const right = typeof asked.typed === 'number' ? asked.typed : value(asked.typed);
  // A bound in tenths is no binary number: what is exactly at it is within.
  const most = asked.within + 1e-9 * Math.max(1, Math.abs(right));
  return readings(String(given)).some((number) => Math.abs(number - right) <= most);
}
