// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// A masked document beside all pairs, as Compare counts it and runs it.
import './no-window.ts';
import { expect, it } from 'vitest';
import { count, type Grown, nothingYet, runsMore } from '../src/efficient/growth.ts';
import { matrixOf } from '../src/elements/tensor.ts';
import { isCausal, withoutMasks } from '../src/efficient/softmax-document.ts';
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

it('causal masks are held against causal attention, a causal mask alone against all pairs', () => {
  const open = (mask: object) => withoutMasks(book, document({ mask }), true)?.mechanism['mask'];
  expect(open(['mask-causal', { type: 'mask-window', window: 2 }])).toEqual(['mask-causal']);
  expect(open(['mask-sliding'])).toEqual(['mask-causal']);
  expect(open(['mask-causal'])).toBeUndefined();
  const mask = (rows: number[][]) => [matrixOf(Float32Array.from(rows.flat()), rows.length, rows[0]!.length)];
  expect(isCausal(mask([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))).toBe(true);
  expect(isCausal(mask([[1, 1, 0], [1, 1, 1], [0, 1, 1]]))).toBe(false);
  expect(isCausal([])).toBe(false);
});

it('counts go to 65,536 words where the form allows it, and else end with the reason', async () => {
  const end = async (parts: object): Promise<Grown> => {
    const into = nothingYet([64, 32_768, 65_536]);
    await count(client, book, document(parts), { cheap: 'query', whole: ['context'] }, into, () => undefined);
    return into;
  };
  const [linear, pairs] = [await end({ core: 'linear', score: undefined }), await end({})];
  expect(linear.counts.map(({ n }) => n)).toEqual([64, 32_768, 65_536]);
  expect([pairs.counts.map(({ n }) => n), pairs.uncounted?.n, pairs.refused])
    .toEqual([[64, 32_768], 65_536, undefined]);
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
