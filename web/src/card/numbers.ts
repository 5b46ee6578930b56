// SPDX-License-Identifier: Apache-2.0
import { type Result, valueAt } from '../engine/result.ts';
import type { Feed, Target } from '../engine/types.ts';
import { inFormula, withSign } from '../strings/numerals.ts';

const MOST_CELLS = 512;
// What the engine writes in formulas: three significant digits.
const DIGITS = 3;
const NUMBER = /(?<![\w.}])-?\d+(?:\.\d+)?(?![\w.]|\s*\\cdot 10\^)/g;

export interface Linked {
  latex: string;
  /** The cell that the number in the class `cellK` stands for, by K. */
  cells: Target[];
}

/** Finds the cells behind the numbers of a formula, and wraps each number in a class of its own. */
export function linked(latex: string, feeds: Feed[], result: Result): Linked {
  const known = feeds.flatMap((feed) => {
    const tensor = result.find(feed.tensor, feed.group);
    return tensor ? feed.cells.map((index) =>
      ({ target: { group: feed.group, tensor: feed.tensor, index }, value: written(valueAt(tensor, index)),
      used: false })) : [];
  }).slice(0, MOST_CELLS);
  const cells: Target[] = [];
  const text = latex.replace(NUMBER, (literal, at: number) => {
    const number = Number(literal);
    // A constant of the formula is no cell, whatever cell happens to hold the same number.
    const alike = isConstant(latex, at, literal) ? [] : known.filter(({ value }) => value === number);
    // Equal numbers are told apart by their order, which is the order of the terms.
    const found = alike.find(({ used }) => !used) ?? alike[0];
    const shown = inFormula(withSign(literal));
    if (!found) return shown;
    found.used = true;
    cells.push(found.target);
    return `\\htmlClass{cell${cells.length - 1}}{${shown}}`;
  });
  return { latex: text, cells };
}

// What is drawn as a root's only number, an index or a power stands in the formula itself; of powers of e it is a cell.
const isConstant = (latex: string, at: number, literal: string): boolean => {
  const [before, after] = [latex.slice(0, at), latex.slice(at + literal.length)];
  if (/\\sqrt\{\s*$/.test(before)) return /^\s*\}/.test(after);
  if (/_\{?\s*$/.test(before)) return true;
  return /^\d+$/.test(literal) && /(?<!(?<![a-zA-Z\\])e)\^\{?\s*$/.test(before) && /^\s*(\}|[^\s\w.])/.test(after);
};

const written = (value: number): number => Number(value.toPrecision(DIGITS));

/** Which number of a formula a pointer event is about. */
export function numberUnder(event: Event): number | undefined {
  for (const at of event.composedPath()) {
    if (!(at instanceof Element)) continue;
    const [, k] = /(?:^| )cell(\d+)(?: |$)/.exec(at.getAttribute('class') ?? '') ?? [];
    if (k !== undefined) return Number(k);
  }
  return undefined;
}
