// SPDX-License-Identifier: Apache-2.0
// The formulas of a computation as a reader of a paper needs them: the engine writes what it computes, line by line.
import { withPlaces } from '../directory/formulas.ts';

const [BEGIN, END] = ['\\begin{align*}', '\\end{align*}'];

// Notation that a formula uses and that no line of it defines.
const NOTATION: readonly (readonly [uses: string, line: string])[] = [
  ['\\operatorname{softmax}_{', String.raw`\operatorname{softmax}_{M}(E)_{ij} &= \frac{M_{ij}\, e^{E_{ij}}}`
    + String.raw`{\sum_{l} M_{il}\, e^{E_{il}}} && \text{(0 in a row in which the mask } M \text{ leaves no key)}`],
  ['[\\,', String.raw`[\,P\,] &= \begin{cases}1 & \text{if } P\\ 0 & \text{otherwise}\end{cases}`],
  ['\\operatorname{PE}', String.raw`\operatorname{PE}(j,\,b)_{2c} &= \sin\left(j \, b^{-2c/d}\right),\quad `
    + String.raw`\operatorname{PE}(j,\,b)_{2c+1} = \cos\left(j \, b^{-2c/d}\right) && \text{(} d \text{ features)}`],
];

/** With masks as inequalities of positions, and with the notation that is used. */
export function clearerLatex(code: string): string {
  const [from, to] = [code.indexOf(BEGIN), code.lastIndexOf(END)];
  if (from < 0 || to < 0) return code;
  const lines = withPlaces(code.slice(from + BEGIN.length, to)).split('\n').map((line) =>
    line.trim().replace(/ ?\\\\$/, '')).filter((line) => line !== '');
  const text = lines.join('\n');
  const all = [...lines, ...NOTATION.filter(([uses]) => text.includes(uses)).map(([, line]) => line)];
  return `${code.slice(0, from)}${BEGIN}\n${all.map((line) => `  ${line}`).join(' \\\\\n')}\n${code.slice(to)}`;
}
