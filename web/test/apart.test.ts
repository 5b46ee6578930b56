// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Without projections one matrix is queries, keys and values at once: each cell is named by the part in which it is
// read, and formulas have the letters of the picture.
import { expect, it } from 'vitest';
import { startEngine } from '../plugins/engine-start.ts';
import { apart } from '../src/engine/shared-numbers.ts';
import { Result } from '../src/engine/result.ts';
import type { Explanation } from '../src/engine/types.ts';

const engine = await startEngine();
const tokens = ['the', 'cat', 'sat', 'on', 'mat'];

function opened(inputs: object, mechanism: object) {
  const text = JSON.stringify({ schema: 'attention-playground/1', inputs, seed: 1,
    mechanism: { type: 'attention', query: 'query-basic', ...mechanism } });
  const answer = engine.run(text);
  const result = new Result(JSON.parse(answer.directory), answer.data);
  const feeds = (tensor: string, index: number[]) => {
    const told = JSON.parse(engine.explain(text, tensor, JSON.stringify(index))) as Explanation;
    return Object.fromEntries(apart(result, { tensor, index, feeds: told.feeds }).map((feed) =>
      [`${feed.group}.${feed.tensor}`, [...new Set(feed.cells.map((cell) => cell.at(-2)))]]));
  };
  return { result, feeds };
}
const two = { tokens: ['a', 'b'], features: { type: 'embedding', dim: 6 } };
const one = { query: { tokens, features: { type: 'embedding', dim: 6 } } };
const step = 'Q K^{\\top}';

it('a score without projections reads one row as the query and one as the key', () => {
  const { feeds } = opened(one, { score: 'scaled-dot' });
  expect(feeds(step, [2, 1])).toEqual({ 'outputs.query': [2], 'outputs.key': [1] });
  expect(feeds(step, [2, 2])).toEqual({ 'outputs.query': [2], 'outputs.key': [2] });
  expect(feeds('context', [2, 0])).toEqual({ 'outputs.value': [0, 1, 2, 3, 4], 'outputs.weights': [2] });
});

it('so it is with linear biases, and the names of one matrix lead to the input and not to each other', () => {
  const { feeds } = opened(one, { score: 'scaled-dot', position: ['pos-alibi'] });
  expect(feeds(step, [4, 0])).toEqual({ 'outputs.query': [4], 'outputs.key': [0] });
  expect(feeds('key', [1, 0])).toEqual({ 'inputs.query': [1] });
  expect(feeds('inputs.query', [1, 0])).toEqual({});
});

it('values that are the keys are named as values, and queries of their own stay', () => {
  const { feeds } = opened({ ...one, key: two }, { score: 'dot' });
  expect(feeds('scores', [2, 1])).toEqual({ 'outputs.query': [2], 'outputs.key': [1] });
  expect(feeds('context', [2, 0])).toEqual({ 'outputs.value': [0, 1], 'outputs.weights': [2] });
});

it('formulas name the only input X, and the values of a context V', () => {
  const { result } = opened(one, { score: 'scaled-dot' });
  expect(result.find(step, 'steps')!.formula).toBe('X\\, {X}^{\\top}');
  expect(result.find('key')!.formula).toBe('X');
  expect(result.find('context')!.formula).toBe('A\\, V');
  const apartResult = opened({ ...one, key: two }, { score: 'dot' }).result;
  expect(apartResult.find('key')!.formula).toBe('\\mathrm{key}');
  expect(apartResult.find('context')!.formula).toBe('A\\, V');
});
