// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeAll, expect, it } from 'vitest';
import { exact, exactly, full, inCell, inTable, onLegend, probable, upTo } from '../src/colour/numbers.ts';
import { ready, speaking } from '../src/strings/language.ts';
import { turnTo } from '../src/strings/live.ts';
import { digits, fixed, inFormula, typedNumber, typedNumbers, whole, withDecimals } from '../src/strings/numerals.ts';

beforeAll(async () => {
  await ready('de');
  await ready('ar');
});
afterEach(() => turnTo('en'));

it('numbers have the decimal sign of the language', () => {
  const all = () => [fixed(-0.412, 2), inCell(0.412, true), inCell(-0.412, true), full(1.5), onLegend(2e-7),
    exactly(-0.125), upTo(0.0001, 2), digits(0.25, 2)];
  expect(all()).toEqual(['−0.41', '.41', '−.41', '1.500', '2e−7', '−0.125', '<.01', '0.25']);
  expect(speaking('de', all)).toEqual(['−0,41', '0,41', '−0,41', '1,500', '2e−7', '−0,125', '<0,01', '0,25']);
  expect(speaking('ar', all)).toEqual(all());
  expect([whole(12345), speaking('de', () => whole(12345))]).toEqual(['12,345', '12.345']);
  expect(speaking('de', () => inFormula(full(-1.5)))).toBe('-1{,}500');
  const latex = String.raw`E = Q K^{\top} \cdot 0.204 - W_{1,2}\;(\text{block 1.2}) / 12`;
  expect(withDecimals(latex)).toBe(latex);
  expect(speaking('de', () => withDecimals(latex))).toBe(latex.replace('0.204', '0{,}204'));
});

it('what rounds to zero has no sign, and files are written for programs', () => {
  expect(fixed(-0.001, 2)).toBe('0.00');
  expect(speaking('de', () => exact(0.125))).toBe('0.125');
});

it('a table never says 0 of what is not', () => {
  expect([0.0004, -0.0004, 0.0006, 0, 0.25].map((value) => inTable(value, 3)))
    .toEqual(['<0.001', '−0.000', '0.001', '0.000', '0.250']);
});

it('typed numbers have either sign', () => {
  for (const text of ['0.5', '0,5', ' .5', ',5', '5e-1']) expect(typedNumber(text), text).toBe(0.5);
  expect([typedNumber('−2,5'), typedNumber('-2.5')]).toEqual([-2.5, -2.5]);
  for (const text of ['', 'x', '1,2,3', '1.2.3', '1,000.5']) expect(typedNumber(text), text).toBeNaN();
});

it('in lists a comma divides, unless it is the decimal sign of the language', () => {
  expect(typedNumbers('1, 2;3 4,5')).toEqual([1, 2, 3, 4, 5]);
  expect(speaking('de', () => [typedNumbers('0,5 1,5; 2'), typedNumbers('1,2,3'), typedNumbers('1, 2')]))
    .toEqual([[0.5, 1.5, 2], [1, 2, 3], [1, 2]]);
  expect(typedNumbers('1 x')).toEqual([1, NaN]);
});

it('in a formula e is the base of the exponential, so a power of ten is written out', () => {
  expect([7.42e-4, -7.42e-4, 1.5e5, 0.25].map((value) => inFormula(full(value))))
    .toEqual(['7.42 \\cdot 10^{-4}', '-7.42 \\cdot 10^{-4}', '1.50 \\cdot 10^{5}', '0.250']);
  expect(speaking('de', () => inFormula(full(7.42e-4)))).toBe('7{,}42 \\cdot 10^{-4}');
});

it('writes probabilities with three digits that mean something', () => {
  expect([1, 0.35894, 0.0412, 0.00089, 0.00001234, 1e-9, 0].map(probable))
    .toEqual(['1.00', '0.359', '0.0412', '0.000890', '0.000012', '<0.000001', '0']);
});
