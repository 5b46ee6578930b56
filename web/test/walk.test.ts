// SPDX-License-Identifier: Apache-2.0
// A computation stepped through: in the order in which it is computed, without numbers that nothing reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { madeFrom, stopsOf } from '../src/flow/walk.ts';
import { runs, systemFiles } from './runs.ts';

const { document: first } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../src/state/example.json'), 'utf8')) as { document: Doc };
const { parameters: _, ...untrained } = first as Doc & { parameters: unknown };
const [page, plain] = runs([untrained, systemFiles.find(({ id }) => id === 'rnnsearch')!.document]);

it('of the first page every stop is computed from stops before it, or a state of the step before', () => {
  const stops = stopsOf(page!);
  const names = stops.map(({ tensor }) => tensor.name);
  expect(stops.filter(({ tensor }) => tensor.group === 'inputs')).toEqual([]);
  for (const [one, other] of [['r_t', 'n_t'], ['z_t', 'h_t'], ['n_t', 'h_t'], ['r_t\\;(2)', 'n_t\\;(2)']])
    expect(names.indexOf(one!), `${one} before ${other}`).toBeLessThan(names.indexOf(other!));
  const at = (role: string) => stops.findIndex(({ tensor }) => tensor.group === 'outputs' && tensor.role === role);
  expect(at('scores')).toBeGreaterThan(0);
  expect(at('scores')).toBeLessThan(at('weights'));
  expect(at('weights')).toBeLessThan(at('context'));
});

it('what is made of the words before anything attends to it belongs to the inputs', () => {
  for (const result of [page!, plain!]) {
    const stages = stopsOf(result).map(({ stage }) => stage);
    expect(stages[0]).toBe('inputs');
    expect(stages.indexOf('output')).toBeGreaterThan(stages.indexOf('weights'));
    expect(stages.indexOf('weights')).toBeGreaterThan(stages.indexOf('scores'));
  }
});

it('an input that is read is a stop', () => {
  const [attention] = runs(['additive']);
  expect(stopsOf(attention!).filter(({ tensor }) => tensor.group === 'inputs').length).toBeGreaterThan(0);
});

it('queries that are the features themselves come before the scores that are made of them', () => {
  const { document } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../src/lessons/data/tour.json'), 'utf8')) as { document: Doc };
  const result = runs([document])[0]!;
  const stops = stopsOf(result);
  expect(stops.map(({ tensor }) => tensor.name))
    .toEqual(['x', 'query', 'Q K^{\\top}', 'scores', 'mask', 'weights', 'context']);
  expect(stops.map(({ stage }) => stage)).toEqual(['inputs', 'qkv', 'scores', 'scores', 'mask', 'weights', 'context']);
  // The engine has one node for both names, and says that the queries are made from themselves.
  const feeds = (stop: number) =>
    madeFrom(result, stops[stop]!.tensor, [{ tensor: 'query', group: 'outputs' }]).map(({ name }) => name);
  expect([feeds(1), feeds(2)]).toEqual([['x'], ['query']]);
});

it('queries, keys and values that are inputs come in this order, before what an efficient form makes of them', () => {
  const stops = stopsOf(runs(['linear'])[0]!).filter(({ tensor }) => tensor.group !== 'inputs');
  expect(stops.slice(0, 3).map(({ tensor }) => tensor.name)).toEqual(['query', 'key', 'value']);
});
