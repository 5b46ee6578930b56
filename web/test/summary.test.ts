// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { sentenceOf } from '../src/shell/summary.ts';
import type { Store } from '../src/state/store.ts';

const read = (inputs: object): string => sentenceOf({ documents: { document: { inputs } } } as unknown as Store);

it('tells what is read: words, the pieces of a model from elsewhere, and of other numbers the name', () => {
  expect(read({ source: { tokens: ['she', 'saw'] } })).toBe('she saw');
  expect(read({ text: { shape: [2, 1], data: [4, 7], labels: ['Once', 'upon'] },
    segment: { shape: [2, 1], data: [0, 0] } })).toBe('Once upon · segment');
  expect(read({ text: { labels: [...'on a'] } })).toBe('on a');
});
