// SPDX-License-Identifier: Apache-2.0
import katex from 'katex';
import { expect, it } from 'vitest';
import { options } from '../src/styles/katex-options.ts';
import { retype } from '../src/styles/update-numbers.ts';

const draw = (latex: string, into: HTMLElement): void =>
  void (into.innerHTML = katex.renderToString(latex, options(false)));

const fresh = (latex: string): string => {
  const span = document.createElement('span');
  draw(latex, span);
  return span.innerHTML;
};
const typed = (before: string, latex: string): { done: boolean; text: string } => {
  const span = document.createElement('span');
  draw(before, span);
  const done = retype(span, before, latex);
  return { done, text: span.innerHTML };
};

it('new numbers written over old ones give what KaTeX draws', () => {
  const pairs = [
    ['A = \\operatorname{softmax}\\left(E / 0.525\\right)', 'A = \\operatorname{softmax}\\left(E / 0.75\\right)'],
    ['0.409 = \\frac{e^{\\htmlClass{cell0}{1.02}}}{e^{-0.3} + e^{\\htmlClass{cell1}{1.02}}}',
      '0.411 = \\frac{e^{\\htmlClass{cell0}{1.12}}}{e^{-0.31} + e^{\\htmlClass{cell1}{1.12}}}'],
    ['x_{2} \\cdot 7 + 7', 'x_{2} \\cdot 8 + 8'],
    ['-2.86 \\cdot 10^{-4}', '-1.5 \\cdot 10^{-5}'],
  ] as const;
  for (const [before, latex] of pairs) {
    const { done, text } = typed(before, latex);
    expect(done, latex).toBe(true);
    expect(text).toBe(fresh(latex));
  }
});

it('leaves alone what it cannot tell apart, or what changed in more than numbers', () => {
  for (const [before, latex] of [['1 + 1', '1 + 2'], ['x + 1', 'y + 1'], ['1', '1 + 1'], ['1{2}', '1{3}'],
    ['', '3']] as const) {
    const { done, text } = typed(before, latex);
    expect(done, latex).toBe(false);
    expect(text).toBe(fresh(before));
  }
});
