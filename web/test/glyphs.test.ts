// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { glyphsIn } from '../src/directory/glyphs.ts';

test('a fraction is as wide as its wider part', () => {
  const above = String.raw`Q K^{\top}`;
  expect(glyphsIn(String.raw`E = \frac{${above}}{\sqrt{4}}`)).toBe(glyphsIn(`E = ${above}`));
  expect(glyphsIn(String.raw`\frac{1}{\sqrt{d_k}}`)).toBe(glyphsIn(String.raw`\sqrt{d_k}`));
});

test('fractions in a row and in each other are counted one by one', () => {
  expect(glyphsIn(String.raw`\frac{a}{bc} + \tfrac{def}{g}`)).toBe(6);
  expect(glyphsIn(String.raw`\frac{\frac{ab}{c} d}{e}`)).toBe(3);
});
