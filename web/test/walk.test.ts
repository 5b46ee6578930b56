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
  const order = [['r_t', 'n_t'], ['z_t', 'encoder.output'], ['n_t', 'encoder.output'], ['r_t\\;(2)', 'n_t\\;(2)']];
  for (const [one, other] of order)
    expect(names.indexOf(one!), `${one} before ${other}`).toBeLessThan(names.indexOf(other!));
  const at = (role: string) => stops.findIndex(({ tensor }) => tensor.group === 'outputs' && tensor.role === role);
  expect(at('scores')).toBeGreaterThan(0);
  expect(at('scores')).toBeLessThan(at('weights'));
  expect(at('weights')).toBeLessThan(at('context'));
});

it('what a step hands out is shown once, as the output that it becomes and in the stage of that output', () => {
  for (const result of [page!, plain!]) {
    const stops = stopsOf(result);
    const shown = stops.map(({ tensor }) =>
      `${tensor.shape.filter((size) => size !== 1).join()} ${tensor.data.join()}`);
    expect(stops.filter((_stop, k) => shown.indexOf(shown[k]!) !== k).map(({ tensor }) => tensor.name)
      .filter((name) => !name.includes('loss'))).toEqual([]);
    for (const role of ['scores', 'weights', 'context'])
      expect(stops.filter(({ tensor }) => tensor.role === role).map(({ stage }) => stage)).toEqual([role]);
    const order = stops.map(({ tensor }) => tensor.role);
    expect(order.indexOf('query')).toBeLessThan(order.indexOf('scores'));
    // What is computed from the context comes after it, in the decoder's order.
    const states = stops.findIndex(({ tensor }) => tensor.role === 'state' && tensor.name.startsWith('decoder'));
    expect(order.indexOf('context')).toBeLessThan(states);
  }
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
