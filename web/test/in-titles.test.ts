// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import './no-window.ts';
import { expect, it } from 'vitest';
import { inTitles } from '../src/controls/in-titles.ts';
import type { Knob, Mechanism } from '../src/engine/types.ts';
import { startEngine } from '../plugins/engine-start.ts';
import { book } from './choosing.ts';

const engine = await startEngine();
const of = book.catalogue.mechanisms.find(({ id }) => id === 'grouped-query') as Mechanism;
const knob = (name: string) => of.knobs.find((one) => one.name === name) as Knob;
const refused = (heads: object): string => (JSON.parse(engine.run(JSON.stringify({ schema: 'attention-playground/1',
  inputs: { x: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 8 } } },
  mechanism: { query: 'self-attention', heads: { type: 'grouped-query', ...heads } } })).directory) as
  { error: { message: string } }).error.message;

it('says of a number that is refused which knobs of the page it is about', () => {
  expect(inTitles(refused({ count: 8, groups: 3 }), knob('groups'), of))
    .toBe('“Key heads” must divide “Query heads” (8 here) without a remainder; 3 does not divide it. '
      + 'Use 1, 2, 4 or 8.');
  expect(inTitles(refused({ count: 0.5 }), knob('count'), of)).toMatch(
    /^“Query heads” must be a whole number of at least 1; 0.5 is not\.$/);
  expect(inTitles(refused({ count: 'x' }), knob('count'), of)).toBeUndefined();
});

it('knows the other forms of the engine', () => {
  const said = (message: string) => inTitles(message, knob('groups'), of);
  expect(said('groups must be at most count, which is 4 here; found groups = 9; use at most 4'))
    .toBe('“Key heads” must be at most “Query heads” (4 here); 9 is more.');
  expect(said('groups must be a multiple of n, which is 4 here; found groups = 9; use 4, 8, 12 and so on'))
    .toBe('“Key heads” must be a multiple of “n” (4 here); 9 is not. Use 4, 8, 12 and so on.');
  expect(said('groups must be a number above 0 and at most 1; found 2'))
    .toBe('“Key heads” must be a number above 0 and at most 1; 2 is not.');
  expect(said('groups must be a number at most 1; found 2'))
    .toBe('“Key heads” must be a number of at most 1; 2 is not.');
  expect(said('something else')).toBeUndefined();
});
