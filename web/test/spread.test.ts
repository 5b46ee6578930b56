// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { meanAndDeviation, seedsAlong, spreads } from '../src/train/spread.ts';

const option = (label: string) => ({ id: label, label, apply: () => undefined });
const [dot, additive, one, two, three] = ['dot', 'additive', 'seed 1', 'seed 2', 'seed 3'].map(option) as
  ReturnType<typeof option>[];
const cell = (row: unknown, column: unknown, accuracy: number, alignment?: number, step = 400) => ({ row, column,
  training: { history: { measured: [{ step: 0, accuracy: 0 }, { step, accuracy, alignment }] } } }) as never;

test('the deviation is that of a sample', () => {
  const { mean, deviation } = meanAndDeviation([0.88, 0.9, 0.95]);
  expect(mean).toBeCloseTo(0.91, 12);
  expect(deviation).toBeCloseTo(Math.sqrt((0.03 ** 2 + 0.01 ** 2 + 0.04 ** 2) / 2), 12);
});

test('seeds of the same model are put together, wherever they are chosen', () => {
  const across = spreads([cell(dot, one, 0.88, 0.5), cell(dot, two, 0.9, 0.7), cell(additive, one, 1),
    cell(additive, two, 1)], 'column');
  expect(across.map(({ label, measure, n, step }) => [label, measure, n, step])).toEqual(
    [['dot', 'accuracy', 2, 400], ['dot', 'alignment', 2, 400], ['additive', 'accuracy', 2, 400]]);
  expect(across[2]).toMatchObject({ mean: 1, deviation: 0 });
  expect(spreads([cell(one, dot, 0.5), cell(two, dot, 0.7), cell(three, dot, 0.9)], 'row')).toMatchObject(
    [{ label: 'dot', mean: expect.closeTo(0.7, 12), deviation: expect.closeTo(0.2, 12), n: 3 }]);
});

test('which choice is the seed is read from the documents that were trained', () => {
  const of = (row: unknown, column: unknown, seed: number) => ({ row, column, document: { seed } }) as never;
  expect(seedsAlong([of(dot, one, 1), of(dot, two, 2), of(additive, one, 1)])).toBe('column');
  expect(seedsAlong([of(one, dot, 1), of(two, dot, 2)])).toBe('row');
  expect(seedsAlong([of(dot, one, 1), of(additive, one, 1)])).toBeUndefined();
});

test('one seed has no spread, and neither have models at different steps', () => {
  expect(spreads([cell(dot, one, 0.88)], 'column')).toEqual([]);
  expect(spreads([cell(dot, one, 0.88), cell(dot, two, 0.9, undefined, 410)], 'column')).toEqual([]);
});
