// SPDX-License-Identifier: Apache-2.0
// What was learned is looked at with the words that its reader wrote.
import { expect, it, vi } from 'vitest';
import { writeWeights } from '../src/files/weights.ts';
import { inOwnWords, sameWeights } from '../src/train/take-over.ts';

// Both would start a worker.
vi.mock('../src/engine/load.ts', () => ({ weightsNamed: async () => undefined }));

const words = (...tokens: string[]) => ({ tokens, features: { type: 'embedding' } });

it('keeps a word that the training read as one it does not know', () => {
  expect(inOwnWords({ source: words('they', '<unknown>', 'it'), target: words('ils') },
    { source: words('they', 'drive', 'it'), target: words('ils') }))
    .toEqual({ source: words('they', 'drive', 'it'), target: words('ils') });
});

it('leaves the words of another example, and inputs without words', () => {
  const inputs = { source: words('they', '<unknown>', 'it'), x: { shape: [1, 1], data: [1] } };
  expect(inOwnWords(inputs, { source: words('he', 'drives', 'it') })).toEqual(inputs);
  expect(inOwnWords(inputs, { source: words('they', 'drive') })).toEqual(inputs);
  expect(inOwnWords(inputs, {})).toEqual(inputs);
});

it('tells weights that differ by the rounding of a file from others', () => {
  const file = (numbers: number[], shape = [2, 2]) => writeWeights({ metadata: {}, tensors: new Map([['W',
    { dtype: 'F32', shape, bytes: new Uint8Array(Float32Array.from(numbers).buffer) }]]) });
  const bytes = writeWeights({ metadata: {}, tensors: new Map([
    ['W', { dtype: 'I8', shape: [2, 2], bytes: new Uint8Array(Int8Array.from([127, -64, 32, 0]).buffer) }],
    ['W.scale', { dtype: 'F32', shape: [1], bytes: new Uint8Array(Float32Array.of(1 / 127).buffer) }]]) });
  const mine = file([1, -0.502, 0.25, 0.001]);
  expect([mine, bytes].map((other) => sameWeights(mine, other))).toEqual([true, true]);
  expect([file([1, -0.4, 0.25, 0]), file([1, -0.502, 0.25, 0.001], [4])].map((other) => sameWeights(mine, other)))
    .toEqual([false, false]);
});
