// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Earlier } from '../src/card/earlier.ts';

test('a number keeps what it was before the last change, and not that of another number', () => {
  const earlier = new Earlier();
  expect(earlier.of('a', 0.979, false)).toBe(undefined);
  expect(earlier.of('a', 0.979, false)).toBe(undefined);
  expect(earlier.of('a', 0.794, false)).toBe(0.979);
  expect(earlier.of('a', 0.794, false)).toBe(0.979);
  expect(earlier.of('a', 0.979, false)).toBe(0.794);
  expect(earlier.of('b', 0.5, false)).toBe(undefined);
  expect(earlier.of('a', 0.7, false)).toBe(undefined);
});

test('a drag is one change', () => {
  const earlier = new Earlier();
  earlier.of('a', 1, false);
  expect([0.9, 0.8, 0.7].map((value) => earlier.of('a', value, true))).toEqual([1, 1, 1]);
  expect(earlier.of('a', 0.7, false)).toBe(1);
  expect(earlier.of('a', 0.6, true)).toBe(0.7);
});

test('a change that leaves the number as it is leaves nothing else before it', () => {
  const earlier = new Earlier();
  earlier.of('a', 0.5, false, 'one');
  expect(earlier.of('a', 0.633, false, 'two')).toBe(0.5);
  expect(earlier.of('a', 0.633, false, 'two'), 'drawn again').toBe(0.5);
  expect(earlier.of('a', 0.633, false, 'three')).toBe(undefined);
  earlier.of('a', 0.7, true, 'four');
  expect(earlier.of('a', 0.7, true, 'five'), 'while a slider is held').toBe(0.633);
});
