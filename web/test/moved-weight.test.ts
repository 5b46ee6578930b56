// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { moved } from '../src/real/encoder-state.ts';

test('a locked weight of the sentence encoder follows its two words, and goes with them', () => {
  const before = ['The', 'dog', 'went', 'home'];
  const cell = { side: 1 as const, row: 1, col: 3 };
  expect(moved(cell, before, ['My', 'dog', 'went', 'home'])).toEqual(cell);
  expect(moved(cell, before, ['The', 'old', 'dog', 'went', 'home'])).toEqual({ side: 1, row: 2, col: 4 });
  expect(moved(cell, before, ['My', 'dog', 'ate', 'it'])).toBeUndefined();
  expect(moved(cell, before, ['The', 'cat', 'went', 'home'])).toBeUndefined();
});
