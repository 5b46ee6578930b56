// SPDX-License-Identifier: Apache-2.0
// Formulas of the engine as a reader needs them: without what only keeps a division from 0 / 0.

// "x, or 1 where x is 0": what a sum is divided by, where it may be 0. The innermost has no other in it.
const GUARD = new RegExp(String.raw`\\begin\{cases\}1 & \\text\{if \} \[\\,((?:(?!\\begin\{cases\}).)+?) = 0\\,\]\\\\ `
  + String.raw`\1 & \\text\{otherwise\}\\end\{cases\}`, 'g');

/** Divides by a sum without the words for the case that it is 0, in which all that is divided is 0, too. */
export function withoutGuards(latex: string): string {
  let [before, now] = ['', latex];
  while (now !== before) [before, now] = [now, now.replace(GUARD, (_all, sum: string) => sum)];
  return now;
}

/** About how many letters are drawn. */
export const glyphsIn = (latex: string): number =>
  latex.replace(/\\[a-zA-Z]+|\\.|[{}^_\s]/g, (part) => (/frac|cdot|sum/.test(part) ? 'x' : '')).length;
