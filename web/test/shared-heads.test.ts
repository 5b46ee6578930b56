// SPDX-License-Identifier: Apache-2.0
// Heads that share keys: a query head is shown with its key head, and a chosen key head keeps a query head that reads
// it.
import { expect, test } from 'vitest';
import { headShown } from '../src/compare/measure.ts';
import { Result, chosenFor, indexFor, plane } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';

const dimension = (role: string) => ({ role });
const tensor = (name: string, heads: number, offset: number, module = '') => ({ group: 'outputs', name, module, offset,
  shape: [heads, 1, 1], axes: [heads === 4 ? 'h' : 'G', 'n', 'dk'],
  dimensions: [dimension('head'), dimension('key'), dimension('feature')] });
const result = new Result({ tensors: [tensor('query', 4, 0), tensor('key', 2, 4), tensor('alone', 2, 6, 'other')],
  labels: {} } as unknown as Directory, new Float32Array([0, 1, 2, 3, 10, 11, 20, 21]));
const shown = (name: string, head: number) => plane(result.find(name)!, { head }).at(0, 0);

test('neighbouring query heads are shown with the key head that they share', () => {
  expect([0, 1, 2, 3].map((head) => shown('query', head))).toEqual([0, 1, 2, 3]);
  expect([0, 1, 2, 3].map((head) => shown('key', head))).toEqual([10, 10, 11, 11]);
});

test('another module with fewer heads shares none', () => {
  expect([0, 1].map((head) => shown('alone', head))).toEqual([20, 21]);
});

test('a chosen key head keeps the head that reads it, or goes to the first that does', () => {
  const key = result.find('key')!;
  expect(chosenFor(key, 0, 1, 3)).toBe(3);
  expect(chosenFor(key, 0, 1, 0)).toBe(2);
  expect(chosenFor(key, 1, 5, 0)).toBe(5);
  expect(indexFor(key, 0, 3)).toBe(1);
});

test('beside a map of one of several heads stands which it is, and of how many', () => {
  const said = (name: string, head: number) => headShown(plane(result.find(name)!, { head }));
  expect([said('query', 2), said('key', 2), said('alone', 1)]).toEqual([[3, 4], [2, 2], [2, 2]]);
});
