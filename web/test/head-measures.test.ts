// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { ModuleEntry } from '../src/engine/types.ts';
import { fitOf } from '../src/heads/map-size.ts';
import { headsOf, layersCalled } from '../src/heads/measured-heads.ts';
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

describe('layers', () => {
  const modules = ['layer-0', 'layer-0.attention', 'layer-1', 'layer-1.attention', 'decoder', 'decoder.self',
    'decoder.cross'].map((name): ModuleEntry =>
    ({ name, type: 'attention', parent: name.split('.').slice(0, -1).join('.'), inputs: {} }));

  it('have the names of the structure, and one of several attentions its own', () => {
    expect(layersCalled(['layer-0.attention', 'layer-1.attention'], modules)).toEqual(['layer 0', 'layer 1']);
    expect(layersCalled(['layer-1.attention', 'decoder.self', 'decoder.cross'], modules))
      .toEqual(['layer 1', 'decoder.self', 'decoder.cross']);
    expect(layersCalled([''], modules)).toEqual(['']);
  });

  it('have all their heads in a row, smaller ones where there is less room', () => {
    for (const [heads, room] of [[8, 776], [8, 1000], [12, 776], [2, 776], [4, 700]] as const) {
      const { side, stacked } = fitOf(heads, room);
      expect(68 + heads * (side + 16) + (stacked ? 0 : 228)).toBeLessThanOrEqual(room);
      expect(side).toBeGreaterThanOrEqual(40);
    }
    expect(fitOf(2, 1000)).toEqual({ side: 72, stacked: false });
    expect(fitOf(8, 320)).toEqual({ side: 40, stacked: true });
  });
});

describe('a measure without a number', () => {
  const lacks = (id: HeadMeasure['id'], one: HeadMap) => measures.find((measure) => measure.id === id)!.lacks?.(one);
  const plain = [[1, 0], [0.5, 0.5]];

  it('has a reason that is about the tokens', () => {
    expect(lacks('induction', map(plain, ['a', 'b']))).toBe('earlier');
    expect(lacks('induction', map(plain, ['a', 'b'], ['c', 'd']))).toBe('self');
    expect(lacks('induction', map(plain))).toBe('tokens');
    expect(lacks('same', map(plain, ['a', 'b']))).toBe('repeats');
    expect(lacks('same', map(plain, ['a', 'b'], ['c', 'd']))).toBe('shared');
    expect(lacks('previous', map([[1]], ['a']))).toBe('second');
    expect(lacks('itself', map(plain, ['a', 'b'], ['c', 'd']))).toBe('self');
  });
});
