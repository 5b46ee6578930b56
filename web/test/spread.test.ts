// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { runsAsCsv } from '../src/train/csv.ts';
import { differences, meanAndDeviation, seedsAlong, spreads } from '../src/train/spread.ts';
import { studentQuantile } from '../src/train/student.ts';

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

test('a paired difference takes seed by seed, and its interval is that of Student', () => {
  const cells = [[0.93, 0.91], [0.94, 0.92], [0.92, 0.91], [0.95, 0.92], [0.9, 0.91]].flatMap(([a, b], k) => {
    const seed = option(`seed ${k}`);
    return [cell(dot, seed, a!), cell(additive, seed, b!)];
  });
  const [found, ...others] = differences(cells, 'column');
  // Differences of 0.02, 0.02, 0.01, 0.03 and -0.01: t(0.975, 4) is 2.776445 in every table.
  const deviation = Math.sqrt((2 * 0.006 ** 2 + 0.004 ** 2 + 0.016 ** 2 + 0.024 ** 2) / 4);
  expect(found).toMatchObject({ labels: ['dot', 'additive'], measure: 'accuracy', mean: expect.closeTo(0.014, 12),
    deviation: expect.closeTo(deviation, 12), within: expect.closeTo((2.776445 * deviation) / Math.sqrt(5), 7),
    more: 4, fewer: 1, n: 5 });
  expect(others).toEqual([]);
  expect(differences([cell(dot, one, 0.8), cell(additive, one, 0.9)], 'column')).toEqual([]);
  expect(differences([cell(dot, one, 0.8), cell(dot, two, 0.8), cell(additive, one, 0.9, undefined, 410),
    cell(additive, two, 0.9, undefined, 410)], 'column')).toEqual([]);
});

test('quantiles of Student’s distribution are those of the tables', () => {
  for (const [degrees, value] of [[1, 12.706205], [2, 4.302653], [4, 2.776445], [9, 2.262157], [30, 2.042272]] as const)
    expect(studentQuantile(0.975, degrees)).toBeCloseTo(value, 5);
  expect(studentQuantile(0.95, 4)).toBeCloseTo(2.131847, 5);
});

test('several models are one table: what they differ in, their seed, and each measurement', () => {
  // Between two texts, so that the first row counts.
  const picture = (step: number, weights: number[]) => ({ step, source: ['x', 'y'], truth: ['a', 'b'], links: [],
    maps: [{ name: 'weights', shape: [1, 2, 2] }], weights: Float32Array.from(weights) });
  const entropy = -(0.25 * Math.log2(0.25) + 0.75 * Math.log2(0.75)) / 2;
  const training = { history: { measured: [{ step: 0, heldOut: 96, heldOutLoss: 2, accuracy: 0, exact: 0 },
    { step: 400, heldOut: 500, heldOutLoss: 0.5, accuracy: 0.9, exact: 0.5, alignment: 0.7 }],
  pictures: [picture(0, [1, 0, 0.5, 0.5]), picture(390, [0.25, 0.75, 0, 1])] } };
  const failed = { step: 12, failure: 'not a number', history: { measured: [], pictures: [] } };
  const documents = [{ seed: 1, training: { task: 'reverse', batch: 32 } },
    { seed: 2, training: { task: { type: 'copy', symbols: 4 } } }];
  const [first, second] = documents.map((document) => `"${JSON.stringify(document).replaceAll('"', '""')}"`);
  expect(runsAsCsv([{ row: dot, column: one, document: documents[0], training },
    { row: additive, column: two, document: documents[1], training: failed }] as never).split('\r\n')).toEqual([
    'down,across,task,seed,step,examples,held-out loss,accuracy,exact,alignment,agrees,first key,entropy,failure,'
      + 'document',
    `dot,seed 1,reverse,1,0,96,2,0,0,,,0.75,0.5,,${first}`,
    `dot,seed 1,reverse,1,400,500,0.5,0.9,0.5,0.7,,0.125,${entropy},,`,
    `additive,seed 2,copy,2,12,,,,,,,,,not a number,${second}`, '']);
});
