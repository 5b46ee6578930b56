// SPDX-License-Identifier: Apache-2.0
import katex from 'katex';
import { expect, it } from 'vitest';
import { options } from '../src/styles/katex-options.ts';
import { joined, mending } from '../src/styles/repair-formula.ts';

const draws = (latex: string) => katex.renderToString(latex, { ...options(false), output: 'html' });

it('two subscripts are one with a subscript', () => {
  expect(joined('S_y_{0}\\, X')).toBe('{S_y}_{0}\\, X');
  expect(joined('a_{ij} + b_1')).toBe('a_{ij} + b_1');
  expect(() => draws('S_y_{0}')).toThrow();
  expect(mending('S_y_{0}\\, \\mathrm{image}\\, S_x_{0}^{\\top}', draws)).toContain('image');
});

it('a name that is no command is written upright, what cannot be drawn is still an error', () => {
  expect(() => draws('\\kernel + b')).toThrow();
  expect(mending('\\tanh(x\\, \\kernel + \\kernels)', draws)).toContain('kernel');
  expect(() => mending('\\frac{1', draws)).toThrow();
});
