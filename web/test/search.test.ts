// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Item } from '../src/state/proposals.ts';
import { ranked } from '../src/controls/search.ts';
import type { Mechanism } from '../src/engine/types.ts';

const item = (id: string, title: string, sentence = '', ...aliases: string[]): Item =>
  ({ id, mechanism: { id, title, sentence, aliases } as unknown as Mechanism, refusal: undefined });
const menu = [item('gaussian', 'Gaussian localness', 'A bump is added before the softmax.'),
  item('csoftmax', 'Constrained softmax'), item('softmax-temperature', 'Softmax with temperature'),
  item('softmax', 'Softmax', 'Each weight is positive.', 'global'), item('hard', 'Hard', 'One key.', 'argmax')];
const found = (search: string) => ranked(menu, search).map(({ id }) => id);

test('a search finds the name first, then names that begin with it, names that have it, sentences', () => {
  expect(found('softmax')).toEqual(['softmax', 'softmax-temperature', 'csoftmax', 'gaussian']);
  expect(found('temp')).toEqual(['softmax-temperature']);
  expect(found('global')).toEqual(['softmax']);
  expect(found('bump softmax')).toEqual(['gaussian']);
  expect(ranked([...menu, item('softmax-one', 'Softmax, off by one')], 'sink').map(({ id }) => id), 'another name')
    .toEqual(['softmax-one']);
  const folds = [item('log-linear', 'Log-Linear'), item('bahdanau', 'Entmax, „à la“ Bahdanau')];
  for (const [typed, id] of [['log linear', 'log-linear'], ['LOG-LINEAR', 'log-linear'], ['a la', 'bahdanau']])
    expect(ranked(folds, typed!).map((one) => one.id), typed).toEqual([id]);
  expect(found(' ')).toEqual(menu.map(({ id }) => id));
});
