// SPDX-License-Identifier: Apache-2.0
// A softmax over a long row, written out with the terms that weigh most.
import type { Term } from '../engine/types.ts';

/** So many terms stand in the card side by side. */
const ROOM = 5;
const KEPT = 3;
// As the engine writes numbers in formulas.
const DIGITS = 3;
const CLOSE = 0.01;
const POWER = /^e\^\{(-?[\d.]+)\}$/;

export interface Shortened {
  latex: string;
  /** What is not written: so many terms, and their sum. */
  count: number;
  sum: number;
}

/** Undefined where the formula has room, or is no fraction of powers whose exponents the terms give. */
export function shortened(numbers: string, terms: readonly Term[]): Shortened | undefined {
  if (terms.length <= ROOM) return undefined;
  const [, above, below] = /^\\frac\{(e\^\{[^{}]*\})\}\{(.+)\}$/.exec(numbers) ?? [];
  if (!above || !below) return undefined;
  const written = new Set(below.split(' + ').filter((one) => one !== '\\dots'));
  const power = ({ value }: Term): string => `e^{${exponent(value)}}`;
  const known = terms.map(({ value }) => Math.log(value));
  // The last digit may have been rounded the other way.
  const isTerm = (text: string): boolean => {
    const number = Number(POWER.exec(text)?.[1] ?? Number.NaN);
    return known.some((one) => Math.abs(one - number) <= CLOSE * Math.abs(one) + 1e-6);
  };
  if (![above, ...written].every(isTerm)) return undefined;
  const kept = new Set([...terms.filter(({ chosen }) => chosen),
    ...terms.filter(({ chosen }) => !chosen).toSorted((a, b) => b.value - a.value)].slice(0, KEPT));
  const rest = terms.filter((term) => !kept.has(term));
  return { latex: `\\frac{${above}}{${terms.filter((term) => kept.has(term)).map(power).join(' + ')} + \\dots}`,
    count: rest.length, sum: rest.reduce((sum, { value }) => sum + value, 0) };
}

const exponent = (value: number): string => {
  const text = Math.log(value).toPrecision(DIGITS);
  return Number(text) === 0 ? '0' : text;
};
