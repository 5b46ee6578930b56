// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// One token in two sentences: which row is its, in both, and how alike the rows are; computed by the real engine.
import './no-window.ts';
import { expect, it } from 'vitest';
import { cosine, inputOf, outcomeOf, ranked, rowOf, tokenOf, writtenTo } from '../src/elsewhere/rows.ts';
import { computed, withSentence } from '../src/elsewhere/sentence.ts';
import { compute } from '../src/engine/compute.ts';
import type { Doc } from '../src/engine/types.ts';
import { Store } from '../src/state/store.ts';
import { book, client } from './choosing.ts';
import { systemFiles } from './runs.ts';

const document: Doc = { schema: 'attention-playground/1', seed: 3,
  inputs: { x: { tokens: ['the', 'bank', 'of', 'the', 'river'], features: { type: 'words', dim: 24 } } },
  mechanism: { type: 'attention', query: 'self-attention' } } as unknown as Doc;

async function both(of: Doc, input: string, text: string, tensor: string) {
  const store = new Store(of, of, book, client);
  await store.sessions.compute();
  const result = store.sessions.result!;
  const weights = result.whole(tensor, 'outputs')!;
  expect(inputOf(of, weights)).toBe(input);
  const outcome = outcomeOf(result, weights)!;
  const other = await withSentence(store, input, text);
  const { result: there } = (await computed(client, other!, [tensor, outcome.name]))!;
  return { result, there: there!, outcome, other: other! };
}

it('finds the row of the same token in both sentences', async () => {
  const { result, there, outcome } = await both(document, 'x', 'money in the bank', 'weights');
  const cell = { group: 'outputs' as const, tensor: 'weights', index: [1, 0] };
  expect(tokenOf(result, cell)).toBe('bank');
  const [here, elsewhere] = [rowOf(result, cell, 'bank', true)!, rowOf(there, cell, 'bank')!];
  expect([here.keys, elsewhere.keys]).toEqual([document.inputs['x']!['tokens'], ['money', 'in', 'the', 'bank']]);
  for (const { values } of [here, elsewhere]) expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  expect(here.values[ranked(here)[0]!]).toBe(Math.max(...here.values));
  const row = { group: 'outputs' as const, tensor: outcome.name, index: [1, 0] };
  const alike = cosine(rowOf(result, row, 'bank', true)!.values, rowOf(there, row, 'bank')!.values)!;
  expect(alike).toBeGreaterThan(-1);
  expect(alike).toBeLessThan(0.9999);
  expect(rowOf(there, cell, 'river')).toBeUndefined();
  // The same sentence gives the same row.
  const again = await both(document, 'x', 'the bank of the river', 'weights');
  expect([...rowOf(again.there, cell, 'bank')!.values]).toEqual([...here.values]);
  // Of a token that is there twice, the first one counts where the sentence is another one.
  expect(rowOf(result, { ...cell, index: [3, 0] }, 'the', true)!.times).toBe(2);
});

it('finds what the layer of a model gives for a token', async () => {
  const { document: llama } = systemFiles.find((one) => one.id === 'llama')!;
  const { result } = (await compute(client, llama))!;
  const weights = result!.all('outputs').find(({ role, within }) =>
    role === 'weights' && within?.startsWith('block-2'))!;
  expect(outcomeOf(result!, weights)!.name).toBe('block-2.output');
});

it('knows the cosine of two vectors, and that there is none of zeros or other lengths', () => {
  expect(cosine(Float32Array.of(3, 4), Float32Array.of(4, 3))).toBeCloseTo(24 / 25);
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(4, 3))).toBeUndefined();
  expect(cosine(Float32Array.of(1), Float32Array.of(4, 3))).toBeUndefined();
});

it('of a translator another sentence is read, and the token of the row is written', () => {
  const translator = { inputs: { source: { tokens: ['the', 'car'] }, target: { tokens: ['la', 'voiture'] } } } as never;
  const weights = (row: string, key: string) => ({ dimensions: [{ role: 'query' as const, labels: row },
    { role: 'key' as const, labels: key }] });
  expect(inputOf(translator, weights('target', 'source'))).toBe('source');
  expect(writtenTo(translator, weights('target', 'source'))).toBe('target');
  expect(writtenTo(translator, weights('source', 'source'))).toBeUndefined();
});
