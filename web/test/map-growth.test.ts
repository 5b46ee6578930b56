// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// How widely attention is spread over the length of a text: the numbers of the real engine.
import './no-window.ts';
import { expect, it } from 'vitest';
import { curveOf, EVEN, type Length, overLengths, spreadIn } from '../src/cost/map-growth.ts';
import type { Client } from '../src/engine/client.ts';
import type { Doc } from '../src/engine/types.ts';
import { grown } from '../src/cost/grow.ts';
import { book, client, computed } from './choosing.ts';

const ask = (asked: unknown) => client.ask(asked as never);
const own = { ask, send: ask } as unknown as Client;
const document = (alignment: string, heads?: number): Doc => ({ schema: 'attention-playground/1',
  inputs: { x: { tokens: ['a', 'b', 'c'], features: { type: 'embedding', dim: 8 } } },
  mechanism: { type: 'attention', score: 'scaled-multiplicative', alignment,
    ...(heads ? { heads: { type: 'multi-head', count: heads } } : {}), inputs: { query: 'x', key: 'x', value: 'x' } },
}) as unknown as Doc;

async function measuredOver(one: Doc, lengths: readonly number[]): Promise<Length[]> {
  const found: Length[] = [];
  expect(await overLengths(own, book, one, lengths, (length) => found.push(length)))
    .toBeUndefined();
  return found;
}

it('attention is measured at each length, for three seeds, over all heads', async () => {
  const one = document('softmax', 2);
  const found = await measuredOver(one, [8, 16, 64]);
  expect(found.map(({ n, draws }) => [n, draws.effective.length])).toEqual([[8, 3], [16, 3], [64, 3]]);
  const result = computed(grown(book, one, 16, 2));
  expect(found[1]!.draws.entropy[1]).toBeCloseTo(spreadIn(result, 'entropy')!, 9);
  const measure = result.directory.measures['weights']!;
  // The engine's entropies of both heads.
  expect(spreadIn(result, 'entropy')).toBeCloseTo((measure.entropy![0]! + measure.entropy![1]!) / 2, 4);
  for (const { n, value, low, high } of curveOf(found, 'effective')) {
    expect(value).toBeGreaterThan(1);
    expect(high).toBeLessThanOrEqual(EVEN.effective(n));
    expect([low <= value, value <= high]).toEqual([true, true]);
  }
});

it('with the same weight on all keys it is what the dashed line says, and of one key it stays 1', async () => {
  for (const [alignment, wanted] of [['uniform', EVEN.effective], ['hard-argmax', () => 1]] as const)
    for (const { n, value } of curveOf(await measuredOver(document(alignment), [8, 32]), 'effective'))
      expect(value, `${alignment} ${n}`).toBeCloseTo(wanted(n), 3);
});

it('a refused length ends it with the reason', async () => {
  const fixed = { ...document('softmax'), mechanism: { type: 'no-such-thing' } } as unknown as Doc;
  const ended = await overLengths(own, book, fixed, [8], () => undefined);
  expect(ended).toMatchObject({ refused: expect.stringContaining('no-such-thing') as string });
});
