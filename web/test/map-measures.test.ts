// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { MEASURES, measured } from '../src/heads/map-measures.ts';
import { measures } from '../src/heads/measures/all.ts';
import type { HeadMap } from '../src/heads/measures/measure.ts';
import { rankOf, singularValues } from '../src/heads/singular.ts';

const map = (cells: readonly (readonly number[])[], keys?: string[]): HeadMap =>
  ({ rows: cells.length, cols: cells[0]!.length, at: (i, j) => cells[i]![j]!, queries: keys, keys });
const evenly = (rows: number, cols: number) => Array.from({ length: rows }, () => Array<number>(cols).fill(1 / cols));

// Numbers of 32 bits between 0 and 1, each row divided by its sum: a map as the engine gives it.
function drawn(rows: number, cols: number, seed = 1): number[][] {
  let state = seed;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return Array.from({ length: rows }, () => {
    const row = Array.from({ length: cols }, next);
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((one) => Math.fround(one / sum));
  });
}

const causal = map([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], ['a', 'b', 'c']);

it('a map has a number for each row, and their mean is what a head has', () => {
  expect(measured(causal, 'entropy')).toEqual({ rows: [0, 1, 1.5], mean: 2.5 / 3 });
  const { rows } = measured(causal, 'effective')!;
  expect(rows.map((one) => one!.toFixed(9))).toEqual(['1.000000000', '2.000000000', (2 ** 1.5).toFixed(9)]);
  expect(measured(causal, 'first')!.rows).toEqual([undefined, 0.5, 0.25]);
  expect(measured(causal, 'itself')!.rows).toEqual([1, 0.5, 0.5]);
  expect(measured(causal, 'previous')!.rows).toEqual([undefined, 0.5, 0.25]);
  for (const { id, of } of measures) if (MEASURES.includes(id as never))
    expect(measured(causal, id as never)!.mean).toBe(of(causal));
});

it('of a map that is no shares of attention nothing is measured, also not of its other rows', () => {
  for (const id of MEASURES) expect(measured(map([[2, -1], [0.5, 0.5]]), id), id).toBeUndefined();
  expect(measured(map([[1, 0.9], [0.5, 0.5]]), 'first')).toBeUndefined();
  expect(measured(map([[0, 0], [0.5, 0.5]]), 'entropy')).toEqual({ rows: [undefined, 1], mean: 1 });
});

it('singular values: known ones, of any shape', () => {
  const near = (cells: number[][], expected: number[]) => {
    const found = singularValues(map(cells));
    expect(found.length).toBe(expected.length);
    for (const [k, value] of found.entries()) expect(value).toBeCloseTo(expected[k]!, 12);
  };
  near([[3, 0], [0, -4]], [4, 3]);
  // The eigenvalues of its Gram matrix are 40 and 10.
  near([[4, 0], [3, 5]], [Math.sqrt(40), Math.sqrt(10)]);
  near([[1, 1, 1]], [Math.sqrt(3)]);
  near([[1], [2], [2]], [3]);
  near([[0, 0], [0, 0]], [0, 0]);
});

it('singular values of a larger map: squares sum to those of its numbers, and a turn does not change them', () => {
  const cells = drawn(60, 40);
  const turned = cells[0]!.map((_, j) => cells.map((row) => row[j]!));
  const values = singularValues(map(cells));
  const squares = cells.flat().reduce((sum, one) => sum + one ** 2, 0);
  expect(values.reduce((sum, one) => sum + one ** 2, 0)).toBeCloseTo(squares, 12);
  for (const [k, value] of singularValues(map(turned)).entries()) expect(value).toBeCloseTo(values[k]!, 9);
});

it('the rank counts what is not rounding', () => {
  expect(rankOf(map(evenly(7, 5)))).toMatchObject({ rank: 1, full: 5, most: 1 });
  expect(rankOf(map([[1, 0, 0], [0, 1, 0], [0, 0, 1]]))).toMatchObject({ rank: 3, full: 3, most: 3 });
  expect(rankOf(causal).rank).toBe(3);
  expect(rankOf(map([[0, 0], [0, 0]])).rank).toBe(0);
  expect(rankOf(map(drawn(30, 30))).rank).toBe(30);
  // Each row twice, once with an error in its last place.
  const twice = drawn(12, 30).flatMap((row) => [row, row.map((one) => Math.fround(one * (1 + 2 ** -23)))]);
  expect(rankOf(map(twice))).toMatchObject({ rank: 12, full: 24, bound: 30 * 2 ** -23 });
});

it('90% of the squares: of one large and nine small singular values the large one is enough', () => {
  const cells = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 }, (_cell, j) =>
    (i === j ? (i === 0 ? 1 : 0.1) : 0)));
  expect(rankOf(map(cells))).toMatchObject({ rank: 10, most: 1 });
});
