// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { linked } from '../src/card/numbers.ts';
import { chancesOf, choiceOf, cutOf, picksGive } from '../src/card/rows.ts';
import { shortened } from '../src/card/shorten.ts';
import { factsOf, largestGap } from '../src/compare/measure.ts';
import { mostOnMean, rowOf, spreadOf } from '../src/directory/spread.ts';
import { candidates, onward } from '../src/engine/dependents.ts';
import { plane, Result } from '../src/engine/result.ts';
import type { Explanation, Group, TensorEntry } from '../src/engine/types.ts';
import { changedCells, stopsOf } from '../src/flow/walk.ts';
import { oneDraw } from '../src/sampling/sampled.ts';
import { output } from './directory.ts';

type Given = [group: Group, name: string, shape: number[], axes: string[], data: number[]];

function result(...given: Given[]): Result {
  const tensors: TensorEntry[] = [];
  const all: number[] = [];
  for (const [group, name, shape, axes, data] of given) {
    tensors.push({ ...output(name, shape, axes), group, offset: all.length });
    all.push(...data);
  }
  const labels = { m: ['a', 'b'], n: ['a', 'b'] };
  return new Result({ ok: true, tensors, labels, warnings: [], measures: {},
    cost: { multiply_adds: 0, exponentials: 0, bytes: 0, exact: true },
    document: { schema: '', inputs: {}, mechanism: {} } }, Float32Array.from(all));
}

const answer = (feeds: Explanation['feeds']): Explanation =>
  ({ tensor: 'weights', index: [0, 0], value: 0, formula: '', numbers: '', feeds });

describe('numbers of a formula', () => {
  it('become terms for the cells that they are, equal ones in order', () => {
    const r = result(['outputs', 'scores', [1, 3], ['m', 'n'], [0.5, -1.2345, 0.5]]);
    const feeds = [{ tensor: 'scores', group: 'outputs' as const, cells: [[0, 0], [0, 1], [0, 2]] }];
    const { latex, cells } = linked('\\frac{e^{0.5}}{e^{0.5} + e^{-1.23} + e^{9}}', feeds, r);
    expect(cells.map(({ index }) => index[1])).toEqual([0, 2, 1]);
    expect(latex).toContain('e^{\\htmlClass{cell2}{-1.23}}');
    expect(latex).toContain('e^{9}');
  });

  it('are no cells where they are constants of the formula, whatever a cell happens to hold', () => {
    const r = result(['outputs', 'query', [1, 3], ['m', 'd'], [2, 3, 1]]);
    const feeds = [{ tensor: 'query', group: 'outputs' as const, cells: [[0, 0], [0, 1], [0, 2]] }];
    const { latex, cells } = linked('\\frac{2 \\cdot 3 + 1^{2}}{\\sqrt{2}} + x_{1} + e^{3}', feeds, r);
    expect(cells.map(({ index }) => index[1])).toEqual([0, 1, 2, 1]);
    expect(latex).toContain('\\sqrt{2}');
    expect(latex).toContain('^{2}');
    expect(latex).toContain('x_{1}');
  });
});

describe('how widely a row is spread', () => {
  it('is told along the keys, beside what it would be over the keys that the row may see', () => {
    const r = result(
      ['outputs', 'weights', [2, 2, 4], ['h', 'm', 'n'], [1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0]],
      ['outputs', 'mask', [2, 4], ['m', 'n'], [1, 0, 0, 0, 1, 1, 0, 0]],
    );
    expect(spreadOf(r, r.find('weights')!, [1, 1, 0])).toEqual({ bits: 1, most: 1, asks: 1 });
    expect(spreadOf(r, r.find('weights')!, [1, 0, 0]), 'one key').toBeUndefined();
  });

  it('follows the keys where every feature has weights of its own', () => {
    const r = result(['outputs', 'weights', [1, 4, 2], ['1', 'n', 'dv'], [1, 0.25, 0, 0.25, 0, 0.25, 0, 0.25]]);
    expect(rowOf(r.find('weights')!, [0, 2, 1])).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(spreadOf(r, r.find('weights')!, [0, 2, 1])).toEqual({ bits: 2, most: 2, asks: undefined });
    expect(spreadOf(r, r.find('weights')!, [0, 2, 0])).toEqual({ bits: 0, most: 2, asks: undefined });
  });

  it('is on the mean beside what it would be over the keys that each row may see', () => {
    const banded = result(
      ['outputs', 'weights', [1, 3, 4], ['h', 'm', 'n'], [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25]],
      ['outputs', 'mask', [3, 4], ['m', 'n'], [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1]],
    );
    expect(mostOnMean(banded, plane(banded.find('weights')!, {}))).toBe((0 + 1 + 2) / 3);
    const open = result(['outputs', 'weights', [2, 4], ['m', 'n'], [1, 0, 0, 0, 0.5, 0.5, 0, 0]]);
    expect(mostOnMean(open, plane(open.find('weights')!, {}))).toBe(2);
    const idle = result(['outputs', 'weights', [2, 2], ['m', 'n'], [0.5, 0.5, 0, 0]],
      ['outputs', 'mask', [2, 2], ['m', 'n'], [1, 1, 0, 0]]);
    expect(mostOnMean(idle, plane(idle.find('weights')!, {})), 'a row without weight').toBe(1);
  });

  it('of heads that see different keys is that of the head on show', () => {
    const r = result(['outputs', 'weights', [2, 1, 4], ['h', 'm', 'n'], [1, 0, 0, 0, 0.5, 0.5, 0, 0]],
      ['outputs', 'mask', [2, 1, 4], ['h', 'm', 'n'], [1, 1, 0, 0, 1, 1, 1, 1]]);
    expect([0, 1].map((h) => mostOnMean(r, plane(r.find('weights')!, { head: h })))).toEqual([1, 2]);
  });

  it('is not told of what is no distribution over keys', () => {
    const r = result(['outputs', 'weights', [2, 2], ['m', 'n'], [0.9, 0.8, -0.5, 1.5]],
      ['outputs', 'gate', [2, 2], ['m', 'dv'], [0.5, 0.5, 0.5, 0.5]]);
    for (const at of [0, 1]) expect(spreadOf(r, r.find('weights')!, [at, 0])).toBeUndefined();
    expect(spreadOf(r, r.find('gate')!, [0, 0])).toBeUndefined();
  });
});

describe('pictures of a row', () => {
  it('draw a threshold only where it gives the weights', () => {
    const given = (w: number[]): Result => result(
      ['outputs', 'scores', [1, 3], ['m', 'n'], [2, 1.6, 0]],
      ['outputs', 'weights', [1, 3], ['m', 'n'], w],
      ['steps', 'z', [1, 3], ['m', 'n'], [0, -0.4, -2]],
      ['steps', '\\tau', [1, 1], ['m', ''], [-0.7]],
    );
    const feeds = [
      { tensor: 'z', group: 'steps' as const, cells: [[0, 0]] },
      { tensor: '\\tau', group: 'steps' as const, cells: [[0, 0]] },
    ];
    const target = { group: 'outputs' as const, tensor: 'weights', index: [0, 0] };
    const cut = cutOf(given([0.7, 0.3, 0]), target, answer(feeds));
    // Drawn where the scores stand: 2 below the best is 0, and the level moves along.
    expect(cut?.level).toBeCloseTo(1.3);
    expect(cut?.bars.map((bar) => bar.value)).toEqual([2, expect.closeTo(1.6), 0]);
    expect(cutOf(given([0.5, 0.5, 0]), target, answer(feeds))).toBeUndefined();
  });

  it('tell picks from other whole numbers by what they give', () => {
    expect(picksGive([1, 1, 0, 1], [0.25, 0.75])).toBe(true);
    expect(picksGive([1, 0], [0.25, 0.75])).toBe(false);
    expect(picksGive([2], [0, 1])).toBe(false);
    expect(picksGive([0], [0, 0])).toBe(false);
  });

  it('find the picks behind a mask, and the chances that they were drawn from', () => {
    const r = result(
      ['outputs', 'weights', [2, 2], ['m', 'n'], [1, 0, 0.5, 0.5]],
      ['steps', 'e', [2, 2], ['m', 'n'], [3, 1, -1, 2]],
      ['steps', 'p', [2, 2], ['m', 'n'], [0.9, 0.1, 0.4, 0.6]],
      ['steps', 's', [2, 2], ['m', ''], [0, 0, 1, 0]],
    );
    const choice = choiceOf(r, { group: 'outputs', tensor: 'weights', index: [1, 0] }, answer([]));
    expect(choice?.drawn).toEqual([1, 0]);
    expect(choice?.chances).toEqual([expect.closeTo(0.4), expect.closeTo(0.6)]);
    expect(chancesOf(r, r.find('weights')!)?.name).toBe('p');
    expect([...oneDraw(r.find('weights')!, r.find('s')!, 0).data]).toEqual([1, 0, 0, 1]);
  });
});

describe('what a cell feeds', () => {
  const r = result(
    ['outputs', 'query', [2, 3], ['m', 'd'], [0, 1, 2, 3, 4, 5]],
    ['outputs', 'scores', [2, 2], ['m', 'n'], [6, 7, 8, 9]],
    ['outputs', 'context', [2, 3], ['m', 'dv'], [1, 1, 1, 1, 1, 1]],
  );
  it('is asked of cells that share its query', () => {
    expect(candidates(r, r.find('query')!, [1, 2], r.find('scores')!)[0]).toEqual([1, 0]);
  });

  it('is the whole row where the neighbours read it too, and only the next tensor', async () => {
    const ask = async (tensor: string, index: number[]) =>
      answer(tensor === 'scores' ? [
      { tensor: 'query', group: 'outputs' as const, cells: [0, 1, 2].map((k) => [index[0]!, k]) }] : []);
    const found = await onward(r, { group: 'outputs', tensor: 'query', index: [1, 2] }, ask);
    expect(found).toEqual([{ group: 'outputs', tensor: 'scores', cells: [[1, 0], [1, 1]] }]);
  });
});

describe('the walk', () => {
  it('shows a step that is an output as that output, once, and counts what it changed', () => {
    const r = result(
      ['outputs', 'weights', [1, 2], ['m', 'n'], [0, 1]],
      ['steps', 'e', [1, 2], ['m', 'n'], [0, 3]],
      ['steps', 'A', [1, 2], ['m', 'n'], [0, 1]],
    );
    r.tensors[2]!.offset = r.tensors[0]!.offset;
    const stops = stopsOf(r);
    expect(stops.map((stop) => stop.tensor.name)).toEqual(['e', 'weights']);
    expect(stops[0]?.stage).toBe('weights');
    expect(changedCells(stops[1]!)).toBe(1);
  });
});

describe('a comparison', () => {
  it('counts zeros that are not masked, keys above zero, bits and the largest gap', () => {
    const r = result(
      ['outputs', 'weights', [2, 2], ['m', 'n'], [0.5, 0.5, 1, 0]],
      ['outputs', 'other', [2, 2], ['m', 'n'], [0.5, 0.5, 0.25, 0.75]],
      ['outputs', 'mask', [2, 2], ['m', 'n'], [1, 1, 1, 1]],
    );
    const of = (name: string) => plane(r.find(name)!, {});
    expect(factsOf(of('weights'), of('mask'))).toEqual({ entropy: 0.5, support: 1.5, zeros: 1, unmasked: 4 });
    expect(largestGap(of('weights'), of('other'))).toEqual({ value: 0.75, row: 1, col: 0 });
  });
});

describe('a softmax over a long row', () => {
  const terms = Array.from({ length: 40 }, (_, cell) =>
    ({ label: `w${cell}`, value: Math.exp(Math.sin(cell)), cell, chosen: cell === 5 }));
  const power = (cell: number): string => `e^{${Math.sin(cell).toPrecision(3)}}`;
  const numbers = `\\frac{${power(5)}}{${[1, 2, 3, 4, 5].map(power).join(' + ')} + \\dots + ${power(39)}}`;

  it('is written with its own term and those that weigh most, and the rest is a number', () => {
    const short = shortened(numbers, terms)!;
    // The largest sines are those of 14 and 33.
    expect(short.latex).toBe(`\\frac{${power(5)}}{${power(5)} + ${power(14)} + ${power(33)} + \\dots}`);
    const all = terms.reduce((sum, { value }) => sum + value, 0);
    expect(short.count).toBe(37);
    expect(short.sum).toBeCloseTo(all - [5, 14, 33].reduce((sum, cell) => sum + Math.exp(Math.sin(cell)), 0), 10);
  });

  it('stays whole where it has room, and where its terms are not what is written', () => {
    expect(shortened(numbers, terms.slice(0, 5))).toBeUndefined();
    expect(shortened(numbers, terms.map((term) => ({ ...term, value: 1.5 * term.value })))).toBeUndefined();
    expect(shortened('0.5 \\cdot 0.25', terms)).toBeUndefined();
  });
});
