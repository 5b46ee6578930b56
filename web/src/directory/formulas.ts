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

// Rows and columns are counted in whole numbers: "i + 1 > j" and "i - j > -1" are "j ≤ i".
const NOT_BEFORE = /\[\\,([ij]) \+ 1 > ([ij])\\,\]|\[\\,([ij]) - ([ij]) > -(?:0\.5|1)\\,\]/g;

/** Writes what a mask compares as a reader would: the mask of earlier positions is [ j ≤ i ]. */
export const withPlaces = (latex: string): string => latex.replace(NOT_BEFORE,
  (_all, a?: string, b?: string, c?: string, d?: string) => `[\\,${b ?? d} \\le ${a ?? c}\\,]`);

/**
 * The threshold that the engine finds is that of scores from which the largest was taken, so it is not the τ of the
 * paper's formula, which stands beside it.
 */
export const shiftedThreshold = (latex: string): string => latex.replace(/\\tau(?![A-Za-z'])/g, "\\tau'");

// A matrix times the identity, which is how the engine finds the map that a whole module implies.
const TIMES_ONE = /^(\S+)\\, \[\\,i = j\\,\]$/;

/** The result that a tensor is once more: its explanation is that one's, and not a product with ones and zeros. */
export function sameAs({ formula, shape }: TensorEntry, all: readonly TensorEntry[]): TensorEntry | undefined {
  const symbol = TIMES_ONE.exec(formula ?? '')?.[1];
  const step = symbol === undefined ? undefined
    : all.find((one) => one.group === 'steps' && one.name === symbol)?.step;
  return step === undefined ? undefined : all.find((one) =>
    one.group === 'outputs' && one.step === step && one.shape.join() === shape.join());
}

/** The letters of a step without the number that tells it from steps of other modules. */
export const unnumbered = (step: string): string => step.replace(/\\;\(.*\)$/, '');

const ofOutputs = (role: TensorEntry['role'], all: readonly TensorEntry[]): TensorEntry[] =>
  all.filter((one) => one.group === 'outputs' && one.role === role);

/** The values of a context, or of a step that is one: its formula calls them V, whichever module made them. */
export function valuesBehind({ role, within, step, formula }: TensorEntry, all: readonly TensorEntry[],
  contexts = ofOutputs('context', all), values = ofOutputs('value', all)): TensorEntry[] {
  // A step has the role of the output that it is; in a scan the two differ, and have one formula.
  const isContext = role === 'context'
    || contexts.some((one) => one.step === step || (one.within === within && one.formula === formula));
  return isContext ? values.filter((one) => one.within === within) : [];
}

/**
 * Writes formulas with letters in place of the names that a document gives its inputs, and of those that a module
 * before has for its result: the values of a context are V, also where they are the same numbers as the keys, and an
 * input that is the only one is X. `all`: every tensor of the result.
 */
export function formulaWriter(all: readonly TensorEntry[]): (tensor: TensorEntry) => string {
  const [contexts, values] = [ofOutputs('context', all), ofOutputs('value', all)];
  const inputs = all.filter(({ group }) => group === 'inputs');
  const steps = all.filter(({ group, name, offset }) => group === 'steps' && /^[A-Z]$/.test(unnumbered(name))
    && values.some((one) => one.offset === offset));
  return (tensor) => {
    let latex = shiftedThreshold((sameAs(tensor, all) ?? tensor).formula ?? '');
    const behind = valuesBehind(tensor, all, contexts, values);
    for (const { name, offset } of inputs) {
      const value = behind.some((one) => one.offset === offset);
      if (value || inputs.length === 1) latex = latex.replaceAll(`\\mathrm{${name}}`, value ? 'V' : 'X');
    }
    for (const { name, offset } of behind.length > 0 ? steps : []) {
      if (behind.some((one) => one.offset === offset))
        latex = latex.replace(new RegExp(`(?<![A-Za-z\\\\])${unnumbered(name)}(?![A-Za-z_^'])`, 'g'), 'V');
    }
    return latex;
  };
}
