// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import '../src/styles/math.ts';
import type { MathElement } from '../src/styles/math.ts';

vi.mock('../src/styles/formula-fonts.ts', () => ({ declareMathFonts: () => undefined }));
// Draws a text, and takes over new digits where nothing else has changed, as KaTeX's part does.
const DIGITS = /\d+/g;
const draw = vi.hoisted(() => vi.fn());
vi.mock('../src/styles/katex.ts', () => ({
  styles: '',
  draw: draw.mockImplementation((latex: string, into: HTMLElement) => { into.textContent = latex; }),
  retype: (into: HTMLElement, before: string, latex: string) => {
    const alike = before.replace(DIGITS, '0') === latex.replace(DIGITS, '0');
    if (alike) into.textContent = latex;
    return alike;
  },
}));

let formula: MathElement;
const shows = () => formula.shadowRoot?.querySelector('span')?.textContent;
const becomes = async (latex: string) => {
  formula.latex = latex;
  await formula.updateComplete;
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
  formula = document.createElement('ap-math') as MathElement;
  formula.follows = true;
  document.body.append(formula);
  await becomes('a = 1');
  await vi.waitUntil(() => shows() === 'a = 1');
  draw.mockClear();
});

afterEach(() => {
  formula.remove();
  vi.useRealTimers();
});

it('a formula that follows the pointer is drawn once for all the cells that it passes', async () => {
  for (const latex of ['b = -2', 'c = 3 + 1', 'd = -4']) await becomes(latex);
  expect(shows()).toBe('a = 1');
  vi.advanceTimersByTime(1000);
  expect(shows()).toBe('d = -4');
  expect(draw).toHaveBeenCalledTimes(1);
});

it('digits alone are written over at once', async () => {
  await becomes('a = 27');
  expect(shows()).toBe('a = 27');
  expect(draw).not.toHaveBeenCalled();
});

it('a cell that is locked has its formula at once', async () => {
  await becomes('b = -2');
  formula.follows = false;
  await formula.updateComplete;
  expect(shows()).toBe('b = -2');
  vi.advanceTimersByTime(1000);
  expect(draw).toHaveBeenCalledTimes(1);
});
