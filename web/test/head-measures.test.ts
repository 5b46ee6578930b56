// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { headsOf } from '../src/heads/found.ts';
import { measures } from '../src/heads/measures/all.ts';
import { areShares, type HeadMap, type HeadMeasure } from '../src/heads/measures/measure.ts';
import { runs } from './runs.ts';

const map = (cells: number[][], queries?: string[], keys = queries): HeadMap =>
  ({ rows: cells.length, cols: cells[0]!.length, at: (i, j) => cells[i]![j]!, queries, keys });
const of = (id: HeadMeasure['id'], one: HeadMap) => measures.find((measure) => measure.id === id)!.of(one);

// "a b a b": the second a and the second b repeat what was there before.
const repeated = map([
  [1, 0, 0, 0],
  [0.7, 0.3, 0, 0],
  [0.1, 0.6, 0.3, 0],
  [0.2, 0.1, 0.5, 0.2],
], ['a', 'b', 'a', 'b']);

describe('measures of a head', () => {
  it('previous token: the mean of the cells below the diagonal', () =>
    expect(of('previous', repeated)).toBeCloseTo((0.7 + 0.6 + 0.5) / 3, 12));

  it('first token: the first column without its own row', () =>
    expect(of('first', repeated)).toBeCloseTo((0.7 + 0.1 + 0.2) / 3, 12));

  it('itself: the diagonal', () => expect(of('itself', repeated)).toBeCloseTo((1 + 0.3 + 0.3 + 0.2) / 4, 12));

  it('same token: equal tokens elsewhere, earlier or later', () =>
    expect(of('same', repeated)).toBeCloseTo((0 + 0 + 0.1 + 0.1) / 4, 12));

  it('induction: what followed the token the last time', () =>
    // The second a: b, which followed the first a. The second b: a, which followed the first b.
    expect(of('induction', repeated)).toBeCloseTo((0.6 + 0.5) / 2, 12));

  it('induction: a double directly before copies nothing', () =>
    expect(of('induction', map([[1, 0], [0, 1]], ['a', 'a']))).toBeUndefined());

  it('entropy in bits: 0 of one key, log2 n of all alike, and rows are divided by their sum', () => {
    expect(of('entropy', map([[1, 0], [0, 1]]))).toBe(0);
    expect(of('entropy', map([[0.25, 0.25, 0.25, 0.25]]))).toBeCloseTo(2, 12);
    expect(of('entropy', map([[0.1, 0.1]]))).toBeCloseTo(1, 12);
    expect(of('entropy', map([[0.5, 0.5], [0, 0]]))).toBeCloseTo(1, 12);
    expect(of('entropy', map([[0.5, -0.5]]))).toBeUndefined();
    expect(of('entropy', map([[Number.NaN, 1]]))).toBeUndefined();
  });

  it('between two texts positions mean nothing, and equal tokens do', () => {
    const crossed = map([[0.9, 0.1], [0.2, 0.8]], ['a', 'b'], ['b', 'a']);
    expect(of('previous', crossed)).toBeUndefined();
    expect(of('itself', crossed)).toBeUndefined();
    expect(of('induction', crossed)).toBeUndefined();
    expect(of('first', crossed)).toBeCloseTo((0.9 + 0.2) / 2, 12);
    expect(of('same', crossed)).toBeCloseTo((0.1 + 0.2) / 2, 12);
  });

  it('without tokens measures of tokens have no number', () => {
    const bare = map([[1, 0], [0.5, 0.5]]);
    expect(of('same', bare)).toBeUndefined();
    expect(of('induction', bare)).toBeUndefined();
    expect(of('previous', bare)).toBe(0.5);
  });

  it('of one token alone nothing can be said but its entropy', () => {
    const one = map([[1]], ['a']);
    for (const { id } of measures) expect(of(id, one)).toBe(id === 'entropy' ? 0 : undefined);
  });
});

describe('maps that are measured', () => {
  it('are those whose rows share out a weight: none is negative, and no row adds up to more than 1', () => {
    expect(areShares(repeated)).toBe(true);
    // A weight that partly goes to no key, and rounding.
    expect(areShares(map([[0.5, 0], [0.3, 0.70001]]))).toBe(true);
    expect(areShares(map([[1.2, -0.2]]))).toBe(false);
    expect(areShares(map([[1, 0], [0.9, 0.6]]))).toBe(false);
  });

  it('have no number where the form gives a signed map, and have numbers where it gives shares', () => {
    const [signed, shares] = runs(['mamba-2', 'multi-head']).map(headsOf);
    expect(signed!.length).toBeGreaterThan(0);
    for (const { scores } of signed!) expect(scores).toEqual({});
    for (const { scores } of shares!) expect(scores.entropy).toBeGreaterThan(0);
  });
});
