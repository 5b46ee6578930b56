// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory, Group } from '../src/engine/types.ts';
import { columnForm, convolution, cost, path, unseen, withoutUnseen } from '../src/lessons/structure.ts';

type Given = { [name: string]: [shape: number[], data: number[]] };
function made(given: Given, group: Group = 'outputs', more: Given = {}): Result {
  const all = [...Object.entries(given).map((e) => [group, ...e] as const),
    ...Object.entries(more).map((e) => ['parameters', ...e] as const)];
  let offset = 0;
  const tensors = all.map(([g, name, [shape, data]]) =>
    ({ group: g, name, shape, axes: [], offset: (offset += data.length) - data.length }));
  const directory = { ok: true, tensors, labels: {}, warnings: [], measures: {}, document: {} } as unknown as Directory;
  return new Result(directory, Float32Array.from(all.flatMap(([, , [, data]]) => data)));
}
const weights = (n: number, data: number[]) => made({ weights: [[n, n], data] }).find('weights');

describe('what lessons measure of a whole computation', () => {
  it('counts the layers until each has heard of all that it can', () => {
    const band = (n: number, w: number) =>
      Array.from({ length: n * n }, (_, k) => (Math.abs(Math.floor(k / n) - (k % n)) <= w ? 0.1 : 0));
    expect([1, 2, 4, 6].map((w) => path(weights(7, band(7, w))))).toEqual([6, 3, 2, 1]);
    // Of what comes later nobody ever hears.
    expect(path(weights(3, [1, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5]))).toBe(2);
    expect(path(undefined)).toBeNaN();
  });

  it('works the column form out on its own', () => {
    const [a, b] = [1 / (1 + Math.E), Math.E / (1 + Math.E)];
    const rest = { scores: [[2, 2], [1, 2, 5, 4]], value: [[2, 1], [1, 3]] } as Given;
    expect(columnForm(made({ ...rest, context: [[2, 1], [a + 3 * b, b + 3 * a]] }))).toBeLessThan(1e-6);
    expect(columnForm(made({ ...rest, context: [[2, 1], [a + 3 * b, a + 3 * b]] }))).toBeGreaterThan(0.5);
  });

  it('parts the weights into what the values see and what they do not', () => {
    // The first two keys hold the same value, so only their sum is seen.
    const both = made({ weights: [[1, 3], [0.6, 0.2, 0.2]], value: [[3, 2], [1, 0, 1, 0, 0, 2]] });
    expect(unseen(both)).toBeCloseTo(0.2, 6);
    expect(withoutUnseen(both)).toBeLessThan(1e-6);
    expect(unseen(made({ weights: [[1, 2], [0.7, 0.3]], value: [[2, 2], [1, 5, 2, 1]] }))).toBeLessThan(1e-6);
  });

  it('compares heads with a convolution, away from the edges', () => {
    // Three heads of width 1 over x = 1, 2, 4; the kernel is 10, 100, 1000.
    const value = [[3, 3, 1], [1, 2, 4, 1, 2, 4, 1, 2, 4]] as [number[], number[]];
    const joined = { 'heads.W_O': [[3, 1], [10, 100, 1000]] } as Given;
    expect(convolution(made({ value, context: [[3, 1], [0, 10 + 200 + 4000, 0]] }, 'outputs', joined))).toBe(0);
    expect(convolution(made({ value, context: [[3, 1], [0, 40 + 200 + 1000, 0]] }, 'outputs', joined))).toBe(2970);
  });

  it('knows what a layer costs', () => {
    const query = made({ query: [[3, 5], Array(15).fill(1)] }).find('query');
    expect([cost(query, 'pairs'), cost(query, 'recurrent'), cost(query, 'convolution')]).toEqual([45, 75, 225]);
  });
});
