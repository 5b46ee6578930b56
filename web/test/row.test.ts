// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { type LeftOut, Result, valueAt } from '../src/engine/result.ts';
import { output } from './directory.ts';
import type { Directory } from '../src/engine/types.ts';
import { ends, largest, mapsLeft, areRowsOfMaps, tallest } from '../src/row/bins.ts';

const directory = (over: Partial<Directory>): Directory =>
  ({ ok: true, tensors: [], labels: {}, warnings: [], measures: {},
  cost: { multiply_adds: 0, exponentials: 0, bytes: 0, exact: true },
  document: { schema: '', inputs: {}, mechanism: {} }, ...over });
const entry = (name: string, shape: number[], axes: string[]) => output(name, shape, axes);
const left = (...one: Parameters<typeof entry>): LeftOut =>
  new Result(directory({ left: [entry(...one)] }), new Float32Array()).left[0]!;

describe('rows of large maps', () => {
  it('no peak is lost where many keys share a point, and every key has one', () => {
    const values = Float32Array.from({ length: 1000 }, (_, k) => (k === 617 ? 5 : k === 618 ? -9 : Math.sin(k)));
    for (const columns of [1, 7, 333, 1000]) {
      const keys = tallest(values, columns);
      expect(keys).toContain(618);
      keys.forEach((key, x) => expect(Math.floor((key * columns) / 1000) === x
        || Math.floor(((key + 1) * columns - 1) / 1000) === x).toBe(true));
      const all = Array.from({ length: columns }, (_, x) => ends(values, x, columns));
      expect(Math.max(...all.map(([, high]) => high))).toBe(5);
      expect(Math.min(...all.map(([low]) => low))).toBe(-9);
    }
  });

  it('what has no rows to show is still told of', () => {
    const weights = left('weights', [3000, 3000], ['m', 'n']);
    expect(areRowsOfMaps([weights, left('mask', [3000, 3000], ['m', 'n'])])).toBe(true);
    expect(areRowsOfMaps([weights, left('hidden', [3000, 2000], ['n', 'd'])])).toBe(false);
    expect(areRowsOfMaps([left('weights', [3000, 3000, 4], ['m', 'n', 'dv'])])).toBe(false);
  });

  it('names the largest in order, fewer where there are fewer', () => {
    expect(largest(Float32Array.of(0.1, 0.5, 0.2, 0.5, 0), 3)).toEqual([1, 3, 2]);
    expect(largest(Float32Array.of(2, 3), 6)).toEqual([1, 0]);
  });

  it('finds the maps by module, from any names, and leaves out what is no map', () => {
    const found = mapsLeft([left('scores', [2, 9, 9], ['h', 'm', 'n']), left('b.weights', [9, 9], ['m', 'n']),
      left('mask', [9, 9], ['m', 'n']), left('c.mask', [9, 9], ['m', 'n']), left('context', [9, 4], ['m', 'dv'])]);
    expect([...found].map(([module, maps]) => [module, maps.map(({ name }) => name)]))
      .toEqual([['', ['scores', 'mask']], ['b', ['b.weights']]]);
  });

  it('a row answers for its own cells only, stands behind whole tensors, and goes when its map does', () => {
    const entry = left('weights', [2, 3, 4], ['h', 'm', 'n']);
    const result = new Result(directory({ left: [entry] }), new Float32Array());
    result.add(new Set(), [{ ...entry, offset: -1, row: 1, data: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7) }]);
    const tensor = result.find('weights')!;
    expect([valueAt(tensor, [1, 1, 2]), valueAt(tensor, [0, 1, 3])]).toEqual([6, 3]);
    expect(valueAt(tensor, [1, 2, 2])).toBeNaN();
    expect(result.whole('weights')).toBeUndefined();
    expect(new Result(directory({ left: [entry] }), new Float32Array()).keep(result).rows).toHaveLength(1);
    expect(new Result(directory({ left: [{ ...entry, shape: [2, 5, 5] }] }), new Float32Array()).keep(result).rows)
      .toHaveLength(0);
  });
});
