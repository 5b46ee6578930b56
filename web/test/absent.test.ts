// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { absentModel, changesOf, completedBy } from '../src/state/absent-model.ts';
import type { Store } from '../src/state/store.ts';
import { textOf } from '../src/strings/displayed-word.ts';

const model = (from: string, more: object = {}): Doc => ({ schema: '', parameters: { from }, ...more,
  inputs: { text: { labels: ['a'], data: [1] } },
  model: [{ name: 'words', type: 'fm-embedding', inputs: { x: 'text' } },
    { name: 'layer-1', type: 'transformer-block', inputs: { x: 'words' }, heads: 4 }] }) as unknown as Doc;
const store = (path: string, from: string) =>
  ({ looseError: { path, message: '' }, documents: { document: model(from) } }) as unknown as Store;

it('knows a model of the reader’s own whose weights are not here, and no other', () => {
  expect([absentModel(store('/parameters/from', 'own-tiny.safetensors')),
    absentModel(store('/parameters/from', 'translate.safetensors')),
    absentModel(store('/model/1', 'own-tiny.safetensors'))]).toEqual(['tiny', undefined, undefined]);
});

it('gives the document of the link the weights of the same model under their name, and no others', () => {
  const interventions = [{ type: 'set', of: 'layer-1.attention.context', head: 1, value: 0 }];
  const waiting = model('own-tiny.safetensors', { interventions });
  expect(completedBy(waiting, model('own-other.safetensors'), 'own-other.safetensors'))
    .toEqual(model('own-other.safetensors', { interventions }));
  const others = model('own-tiny.safetensors');
  (others['model'] as object[]).pop();
  expect(completedBy(waiting, others, 'own-tiny.safetensors')).toBeUndefined();
});

it('lists what the document of a link changes', () => {
  expect(changesOf(model('own-tiny.safetensors'))).toEqual({ heads: [], others: [] });
  expect(changesOf(model('', { interventions: [{ type: 'set', of: 'layer-1.attention.context', head: 1, value: 0 },
    { type: 'set', of: 'layer-1.scores', value: 2 }], parameters: { from: '', activations: 'int8', 'words.E': [1] } })))
    .toEqual({ heads: [['layer-1.attention', 1]], others: ['layer-1.scores', 'words.E'] });
});

it('reads tokens as a text', () => {
  expect([textOf(['Once', ' up', 'on', '\n']), textOf([...'on a']),
    textOf(['[CLS]', 'the', 'cat']), textOf(Array(70).fill('a'))])
    .toEqual(['Once upon\\n', 'on a', '[CLS] the cat', `${Array(60).fill('a').join(' ')} …`]);
});
