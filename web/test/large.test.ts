// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { Plane, Result } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';
import { factsOf } from '../src/flow/row-numbers.ts';
import { rowsOf } from '../src/large/rows.ts';
import { cellOf } from '../src/large/size.ts';
import { around } from '../src/flow/window.ts';
import { rowsCsv } from '../src/take/numbers.ts';

// Two heads, two queries, three keys.
const numbers = [0.5, 0.5, 0, 1, 0, 0, 0.25, 0.25, 0.5, 0, 0, 0];
const result = new Result({
  ok: true, document: { schema: 's', inputs: {}, mechanism: { type: 'x' } }, labels: {},
  tokens: { x: ['a', 'b'], y: ['c', 'd', 'e'] }, warnings: [], measures: {}, modules: [],
  tensors: [{ group: 'outputs', name: 'weights', role: 'weights', kind: 'probability', shape: [2, 2, 3],
    axes: ['h', 'm', 'n'], offset: 0,
    dimensions: [{ role: 'head' }, { role: 'query', labels: 'x' }, { role: 'key', labels: 'y' }] }],
} as unknown as Directory, Float32Array.from(numbers));
const tensor = result.find('weights')!;

it('a row says its entropy in bits, how many keys it looks at, and at which most', () => {
  const plane = new Plane(tensor, 1, 2, [0, 0, 0]);
  expect(factsOf(plane, 0)).toEqual({ entropy: 1, support: 2, at: 0, value: 0.5 });
  expect(factsOf(plane, 1)).toEqual({ entropy: 0, support: 1, at: 0, value: 1 });
  const other = new Plane(tensor, 1, 2, [1, 0, 0]);
  expect(factsOf(other, 0)).toEqual({ entropy: 1.5, support: 3, at: 2, value: 0.5 });
  expect(factsOf(other, 1).support).toBe(0);
});

it('the same is written for every row of every head, with names', () => {
  const rows = rowsOf(tensor, result);
  expect(rows.map(({ row, key }) => [row['h'], row['m'], key]))
    .toEqual([[0, 'a', 'c'], [0, 'b', 'c'], [1, 'a', 'e'], [1, 'b', 'c']]);
  expect(rowsCsv(rows).split('\r\n').slice(0, 4))
    .toEqual(['h,m,entropy_bits,keys,largest_key,largest', '0,a,1,2,c,0.5', '0,b,0,1,c,1', '1,a,1.5,3,e,0.5']);
});

it('cells grow into the room that there is, and hold their numbers where that is wanted', () => {
  expect(cellOf({ rows: 8, cols: 8, room: 800, zoom: 'fit' })).toEqual({ w: 44, h: 26, written: true });
  expect(cellOf({ rows: 60, cols: 60, room: 600, zoom: 'fit' })).toEqual({ w: 11, h: 14, written: false });
  // 40 words with what their rows say, in the middle of a page of 1440.
  expect(cellOf({ rows: 40, cols: 40, room: 484, zoom: 'fit' })).toEqual({ w: 12, h: 14, written: false });
  expect(cellOf({ rows: 60, cols: 60, room: 600, zoom: 'numbers' })).toMatchObject({ w: 38, written: true });
  expect(cellOf({ rows: 128, cols: 128, room: 600, zoom: 'fit' }).w).toBe(7);
});

it('the lens stays inside the matrix', () => {
  expect(around(0, 60)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(around(30, 60)).toEqual([27, 28, 29, 30, 31, 32, 33]);
  expect(around(59, 60)).toEqual([53, 54, 55, 56, 57, 58, 59]);
  expect(around(1, 3)).toEqual([0, 1, 2]);
});
