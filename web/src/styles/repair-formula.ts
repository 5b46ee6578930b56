// SPDX-License-Identifier: Apache-2.0
// A name in a formula may be one that the drawing does not know, or have two subscripts: it can still be read.

const UNKNOWN = /Undefined control sequence: \\([A-Za-z]+)/;
const MOST = 12;

/** Letters that are marked twice below, as in x_y_1, are taken together: {x_y}_1. */
export const joined = (latex: string): string => latex.replace(/([A-Za-z]_(?:\{[^{}]*\}|[A-Za-z0-9]))(?=_)/g, '{$1}');

/** Draws it; names that are no commands are written upright, and then it is tried again. */
export function mending<T>(latex: string, draw: (latex: string) => T): T {
  let now = joined(latex);
  for (let turn = 0; ; turn++) {
    try {
      return draw(now);
    } catch (problem) {
      const name = UNKNOWN.exec(String((problem as Error).message))?.[1];
      if (name === undefined || turn === MOST) throw problem;
      now = now.replaceAll(new RegExp(`\\\\${name}(?![A-Za-z])`, 'g'), `\\mathrm{${name}}`);
    }
  }
}
