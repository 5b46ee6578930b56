// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import '../src/strings/en-later.ts';
import { strings } from '../src/strings/en.ts';
import { BASIC, others, pointsOf, SLANTED } from '../src/styles/ranges.ts';

it.each([BASIC, SLANTED])('the two parts of a face share no letter, and together have what one had: %s', (letters) => {
  const [basic, rest] = [pointsOf(letters), pointsOf(others(letters))];
  expect(basic.filter((point) => rest.includes(point))).toEqual([]);
  for (const letter of 'aZ0~äßÿŒ€×−')
    expect(basic.includes(letter.codePointAt(0)!) || rest.includes(letter.codePointAt(0)!), letter).toBe(true);
});

it('the page in English needs only the first', () => {
  const rest = new Set(pointsOf(others(BASIC)));
  const words = JSON.stringify(strings, (_key, value) => (typeof value === 'function' ? String(value) : value));
  expect([...words].filter((letter) => rest.has(letter.codePointAt(0)!))).toEqual([]);
});
