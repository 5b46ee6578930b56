// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { type Ask, followed } from '../src/engine/followed-cells.ts';
import type { Feed } from '../src/engine/types.ts';

const feed = (group: Feed['group'], tensor: string, ...cells: number[][]): Feed => ({ group, tensor, cells });
const answers: Record<string, (index: number[]) => Feed[]> = {
  scaled: (index) => [feed('outputs', 'scores', index)],
  product: ([i = 0, j = 0]) => [feed('outputs', 'query', [i, 0], [i, 1]), feed('outputs', 'key', [j, 0], [j, 1])],
  joined: ([i = 0, j = 0]) => [feed('outputs', 'heads', [j, i])],
};
let asked = 0;
const ask: Ask = async (tensor, index) => {
  asked++;
  return { tensor, index, value: 0, formula: '', numbers: '', feeds: answers[tensor]!(index) };
};

it('passes through an elementwise step with one question', async () => {
  asked = 0;
  const row = [[5, 0], [5, 1], [5, 2]];
  expect(await followed([feed('steps', 'scaled', ...row), feed('outputs', 'mask', [5, 1])], ask, false)).toEqual([
    feed('outputs', 'scores', ...row), feed('outputs', 'mask', [5, 1]),
  ]);
  expect(asked).toBe(1);
});

it('comes from a product to the row and the column that were multiplied', async () => {
  expect(await followed([feed('steps', 'product', [2, 3])], ask, false)).toEqual([
    feed('outputs', 'query', [2, 0], [2, 1]), feed('outputs', 'key', [3, 0], [3, 1]),
  ]);
});

it('asks for every cell of a rearrangement only when it is thorough', async () => {
  const cells = [[1, 0], [1, 2]];
  expect(await followed([feed('steps', 'joined', ...cells)], ask, false)).toEqual([]);
  expect(await followed([feed('steps', 'joined', ...cells)], ask, true))
    .toEqual([feed('outputs', 'heads', [0, 1], [2, 1])]);
});
