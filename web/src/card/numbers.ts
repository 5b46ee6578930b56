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
  const text = latex.replace(NUMBER, (literal) => {
    const number = Number(literal);
    const alike = known.filter(({ value }) => value === number);
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
