// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// A masked document beside all pairs, as Compare counts it and runs it.
import './no-window.ts';
import { expect, it } from 'vitest';
import { count, type Grown, nothingYet, runsMore } from '../src/efficient/growth.ts';
import { withoutMasks } from '../src/efficient/softmax-document.ts';
import type { Doc } from '../src/engine/types.ts';
import { book, client } from './choosing.ts';

const document = (parts: object): Doc => ({ schema: 'attention-playground/1', inputs: { x: { tokens: ['a', 'b', 'c'],
  features: { type: 'embedding', dim: 8 } } }, mechanism: { type: 'attention', query: 'self-attention',
  score: 'scaled-dot', ...parts } }) as unknown as Doc;
const masked = document({ mask: [{ type: 'mask-window', window: 2 }] });

it('masked attention stands beside that of all pairs, which has the same parts but no masks', () => {
  expect(withoutMasks(book, masked)?.mechanism).toEqual({ ...masked.mechanism, mask: undefined });
  expect([{}, { mask: [] }].map((parts) => withoutMasks(book, document(parts)))).toEqual([undefined, undefined]);
});

it('a window is counted by its pairs, and a run of it computes whole maps', async () => {
  const grown = async (one: Doc): Promise<Grown> => {
    const into = nothingYet();
    await count(client, book, one, { cheap: 'query', whole: ['context'] }, into, () => undefined);
    return into;
  };
  const [pairs, window] = [await grown(withoutMasks(book, masked)!), await grown(masked)];
  const rise = ({ counts }: Grown) => counts[8]!.multiply_adds / counts[7]!.multiply_adds;
  expect([Math.round(rise(pairs)), Math.round(rise(window))]).toEqual([4, 2]);
  expect([runsMore(pairs), runsMore(window)]).toEqual([false, true]);
  // Of 64 queries, the outer two of each side see 4 and 3 keys, and all others 5.
  expect(window.counts[0]!.exponentials).toBe(64 * 5 - 6);
});
