// SPDX-License-Identifier: Apache-2.0
import { digits, fixed, percent, powers, withSign } from '../strings/numerals.ts';

// In a narrow cell the point says enough; who writes a comma writes the 0, too.
const bare = (text: string): string => text.replace(/^(−?)0(?=\.)/, '$1');

/**
 * A number in a small cell: for weights two places, if no other, without the leading 0; for the rest one place, or two
 * where one would leave 0 of it or would hide that a neighbour differs.
 */
export function inCell(value: number, weights: boolean, places = 2): string {
  if (value === 0) return '0';
  // A zero with a sign, as −0.0, tells nobody what it is: the second place does, in the same room.
  if (!weights && Math.abs(value) >= 0.095) return short(value, 1);
  return Math.abs(value) < 10 ** -places / 2 ? tooSmall(value, places) : bare(fixed(value, places));
}

// A number that rounds to 0 is not 0. Above 0 its bound is written, which is the last place shown. Below 0 a bound
// would read as a comparison with a negative number, so that it is written as it rounds, with its sign: −.00.
function tooSmall(value: number, places: number): string {
  return value > 0 ? `<${bare(fixed(10 ** -places, places))}` : `−${bare(fixed(0, places))}`;
}

// Where all numbers are smaller, such as weights over an image, fewer places would not tell them apart.
const FINE = 0.1;

/**
 * What a cell of a map prints: nothing for a weight that would read as 0 and is not; its colour says that it is small,
 * and the card and the table have the number.
 */
export function printed(value: number, weights: boolean, scale: number): string {
  const places = scale < FINE ? 3 : 2;
  return weights && value !== 0 && Math.abs(value) < 10 ** -places / 2 ? ''
    : inCell(value, weights || scale < FINE, places);
}

/** Ticks and notes: two places, fewer digits when the number is large. */
export function onLegend(value: number): string {
  if (value === 0) return '0';
  // Two places would say 0 of what is not.
  if (Math.abs(value) < 0.005) return powers(value, 0);
  return short(value, Math.abs(value) < 1 ? 2 : 1);
}

/** The large number of the card. */
export function full(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 0.001 || size >= 1e5) return powers(value, 2);
  return fixed(value, size >= 100 ? 1 : 3);
}

const POWERS = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
// Sizes for which nine digits are computed without a text; and how near to the middle of two decimals they are not.
const [LEAST, MOST, MIDDLE] = [1e-9, 1e6, 1e-5];

// `Number(value.toPrecision(digits))`: the quotient of two numbers without error is rounded once, as the text would be.
function rounded(value: number, digits: number): number {
  const size = Math.abs(value);
  const power = size >= LEAST && size < MOST ? POWERS[digits - 1 - Math.floor(Math.log10(size))]! : NaN;
  const scaled = size * power, whole = Math.floor(scaled), rest = scaled - whole;
  // A logarithm may be off near a power of ten.
  const isKnown = whole >= POWERS[digits - 1]! && whole < POWERS[digits]! - 1 && Math.abs(rest - 0.5) >= MIDDLE;
  if (!isKnown) return Number(value.toPrecision(digits));
  const short = (rest < 0.5 ? whole : whole + 1) / power;
  return value < 0 ? -short : short;
}

/** The shortest decimal that reads back as this very single precision number. */
export function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = rounded(value, digits);
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return rounded(value, 9);
}

/** As programs write it, for files; `exactly` is for people. */
export function exact(value: number): string {
  return String(shortest(value));
}

/** So many places; what would be rounded to 0 and is not says so. */
export function inTable(value: number, places: number): string {
  const least = 10 ** -places;
  if (value === 0 || Math.abs(value) >= least / 2) return fixed(value, places);
  return value > 0 ? `<${fixed(least, places)}` : `−${fixed(0, places)}`;
}

// Smaller probabilities are written as less than the last of so many places.
const MOST_PLACES = 6;

/** A probability with three digits that mean something, so that a small change of it can be quoted. */
export function probable(value: number): string {
  if (value === 0) return '0';
  return inTable(value, Math.min(MOST_PLACES, Math.max(2, 2 - Math.floor(Math.log10(value)))));
}

export function exactly(value: number): string {
  return withSign(exact(value));
}

function short(value: number, places: number): string {
  const size = Math.abs(value);
  if (size >= 1e4) return powers(value, 0);
  return fixed(value, size >= 100 ? 0 : places);
}

/** At most so many places: what would read 0 without being it is written as less than the last place. */
export function upTo(value: number, places: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) < 10 ** -places / 2) return tooSmall(value, places);
  return bare(fixed(value, places));
}

const LETTERS: readonly (readonly [number, string])[] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

/** A count in three digits: 9.94 G. Below a thousand whole numbers stay whole. */
export function counted(value: number): string {
  const [by, letter] = LETTERS.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const text = digits(value / by, 3);
  return letter ? `${text} ${letter}` : text;
}

/** Clocks in browsers tell nothing below this, in milliseconds. */
export const SHORTEST = 0.01;

/** Milliseconds in about three digits; less than the clock can tell is said to be less. */
export function asMs(value: number): string {
  if (value < SHORTEST) return `<${digits(SHORTEST, 1)}`;
  return value < 100 ? digits(value, value < 1 ? 2 : 3) : fixed(value, 0);
}

/** A share in whole percents: what is there and smaller is less than one. */
export const percents = (part: number, whole: number): string => {
  if (part === 0 || whole === 0) return percent('0');
  const share = (100 * part) / whole;
  return percent(share < 1 ? '<1' : String(Math.round(share)));
};
