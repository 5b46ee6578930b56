// SPDX-License-Identifier: Apache-2.0
// What was learned is looked at with the words that its reader wrote.
import { expect, it, vi } from 'vitest';
import { inOwnWords } from '../src/train/untaken.ts';

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
