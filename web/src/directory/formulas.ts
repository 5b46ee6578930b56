// SPDX-License-Identifier: Apache-2.0
// Formulas of the engine as a reader needs them: without what only keeps a division from 0 / 0, and with the letters
// that the picture has for what is given.
import type { TensorEntry } from '../engine/types.ts';

// "x, or 1 where x is 0": what a sum is divided by, where it may be 0. The innermost has no other in it.
const GUARD = new RegExp(String.raw`\\begin\{cases\}1 & \\text\{if \} \[\\,((?:(?!\\begin\{cases\}).)+?) = 0\\,\]\\\\ `
  + String.raw`\1 & \\text\{otherwise\}\\end\{cases\}`, 'g');

/** Divides by a sum without the words for the case that it is 0, in which all that is divided is 0, too. */
export function withoutGuards(latex: string): string {
  let [before, now] = ['', latex];
  while (now !== before) [before, now] = [now, now.replace(GUARD, (_all, sum: string) => sum)];
  return now;
}

/**
 * The threshold that the engine finds is that of scores from which the largest was taken, so it is not the τ of the
 * paper's formula, which stands beside it.
 */
export const shiftedThreshold = (latex: string): string => latex.replace(/\\tau(?![A-Za-z'])/g, "\\tau'");

type Given = Pick<TensorEntry, 'name' | 'offset' | 'role' | 'within' | 'step'> & { alone?: true };

/**
 * A formula with letters in place of the names that a document gives its inputs: the values of a context are V, also
 * where they are the same numbers as the keys, and an input that is the only one is X.
 */
export function givenIn({ formula = '', role, within, step }: TensorEntry, inputs: readonly Given[],
  outputs: readonly Given[]): string {
  let latex = shiftedThreshold(formula);
  for (const { name, offset, alone } of inputs) {
    const word = `\\mathrm{${name}}`;
    if (!latex.includes(word)) continue;
    // A step has the role of the output that it is.
    const value = (role === 'context' || outputs.some((one) => one.role === 'context' && one.step === step))
      && outputs.some((one) => one.role === 'value' && one.offset === offset && one.within === within);
    if (value || alone) latex = latex.replaceAll(word, value ? 'V' : 'X');
  }
  return latex;
}

/** About how many letters are drawn. */
export const glyphsIn = (latex: string): number =>
  latex.replace(/\\[a-zA-Z]+|\\.|[{}^_\s]/g, (part) => (/frac|cdot|sum/.test(part) ? 'x' : '')).length;
