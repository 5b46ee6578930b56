// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { naming } from '../src/directory/naming.ts';
import { shownPiece } from '../src/strings/shown.ts';
import { output } from './directory.ts';

it('a result and a cell of it are called with their module in brackets, where it is not said already', () => {
  const weights = { ...output('decoder.weights', [2, 3], ['m', 'n']), group: 'outputs' as const, within: 'decoder' };
  const { title, short, one } = naming(weights as never);
  expect([title, short, one]).toEqual(['Weights (decoder)', 'Weights', 'Weight (decoder)']);
});

it('pieces of words are drawn without the mark of a space, and a space alone as one', () => {
  expect(['▁The', 'ent', '▁', '', '<s>'].map(shownPiece)).toEqual(['The', 'ent', '␣', '', '<s>']);
});
