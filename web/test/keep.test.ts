// SPDX-License-Identifier: Apache-2.0
// What can be used where an entry of a menu does not fit, found in the catalogue's records alone.
import { expect, it, vi } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { alternatives } from '../src/state/fitting-choice.ts';
import { itemsOf, placeOf, prefixAt, putInto } from '../src/state/proposals.ts';
import { book } from './runs.ts';

vi.mock('../src/engine/load.ts', () => ({ weightsNamed: async () => undefined }));

const slot = book.named('attention')!.slots.find(({ kind }) => kind === 'score')!;
const path = '/model/0/attention/score';
const document = { schema: 's', inputs: {}, mechanism: {},
  model: [{ name: 'decoder', type: 'om-decoder', attention: { score: { type: 'additive', hidden: 3 } } }],
  parameters: { 'decoder.attention.score.w': [1], 'decoder.attention.heads.W_Q': [2] } } as unknown as Doc;
const put = (id: string) => alternatives(placeOf(book, slot, path), id).map(({ title, put: edit, maps }) => {
  const draft = structuredClone(document);
  edit(draft);
  const [{ attention }] = draft['model'] as unknown as [{ attention: { score: object } }];
  return { title, maps: maps?.id, score: attention.score };
});

it('a score of equal widths goes inside of what maps one to the other, or its family takes its place', () => {
  const [first, ...others] = put('scaled-dot');
  expect([first!.maps, first!.score]).toEqual(['projected-query', { type: 'projected-query',
    base: { type: 'scaled-dot' } }]);
  expect(others.map(({ score }) => score)).toContainEqual({ type: 'self-dot' });
  expect(put('additive').map(({ score }) => score)).toContainEqual({ type: 'self-additive' });
  expect(put('convolution-based')).toEqual([]);
});

it('what is put into a slot takes the numbers along that were given for the one before, and no others', () => {
  const draft = structuredClone(document);
  putInto(book, slot, path, 'general')(draft);
  expect(draft['parameters']).toEqual({ 'decoder.attention.heads.W_Q': [2] });
  expect(prefixAt(document, '/mechanism/score/base')).toBe('score.base.');
});

it('a slot for a few offers these alone', () => {
  const base = book.find('score', 'importance-as-query')!.slots[0]!;
  expect(itemsOf(book, document, base, '/model/0/attention/score').map(({ id }) => id).toSorted())
    .toEqual(['additive', 'concat']);
});
