// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { cellAfterEdit } from '../src/real/encoder-state.ts';

test('a locked weight of the sentence encoder follows its two words, and goes with them', () => {
  const before = ['The', 'dog', 'went', 'home'];
  const cell = { side: 1 as const, row: 1, col: 3 };
  expect(cellAfterEdit(cell, before, ['My', 'dog', 'went', 'home'])).toEqual(cell);
  expect(cellAfterEdit(cell, before, ['The', 'old', 'dog', 'went', 'home'])).toEqual({ side: 1, row: 2, col: 4 });
  expect(cellAfterEdit(cell, before, ['My', 'dog', 'ate', 'it'])).toBeUndefined();
  expect(cellAfterEdit(cell, before, ['The', 'cat', 'went', 'home'])).toBeUndefined();
});
