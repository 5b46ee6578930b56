// SPDX-License-Identifier: Apache-2.0
import katex from 'katex';
import { expect, it } from 'vitest';
import { parsed } from '../plugins/formulas.ts';
import { grow, rememberFormulas, ready } from '../src/styles/drawn.ts';
import { options } from '../src/styles/katex-options.ts';

const SAMPLES = ['a_{ij} = \\frac{\\exp(e_{ij}/T)}{\\sum_k \\exp(e_{ik}/T)}', 'x < y \\& z',
  '\\htmlClass{query}{q}\\,k^{\\top}', '\\begin{cases}E & \\text{if } M\\\\ 0\\end{cases}', '\\sqrt{\\frac{a}{b}}'];

it('a formula drawn while building grows into what KaTeX draws', () => {
  for (const latex of SAMPLES) {
    for (const display of [false, true]) {
      const markup = katex.renderToString(latex, options(display));
      const there = document.createElement('div');
      there.innerHTML = markup;
      const here = grow(parsed(markup)) as HTMLElement;
      expect(here.textContent).toBe(there.textContent);
      const list = (root: Element) =>
        [...root.querySelectorAll('*')].map((e) =>
        [e.tagName.toLowerCase(), e.getAttribute('class'), (e as HTMLElement).style?.cssText ?? '']);
      expect(list(here)).toEqual(list(there.firstElementChild!));
    }
  }
});

it('is found again by its text and its size', () => {
  rememberFormulas({ 'display x': ['span', {}, 'large'], x: ['span', {}, 'small'] });
  expect([ready('x', true)?.[2], ready('x', false)?.[2], ready('y', false)]).toEqual(['large', 'small', undefined]);
});
