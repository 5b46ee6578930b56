// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import '../src/strings/en-later.ts';
import type { Doc } from '../src/engine/types.ts';
import type { Store } from '../src/state/store.ts';
import { type Named, naming } from '../src/directory/naming.ts';
import { strings } from '../src/strings/en.ts';
import { speak } from '../src/strings/language.ts';
import { savedName } from '../src/take/saved-name.ts';

const byHand = JSON.parse(readFileSync(join(import.meta.dirname, '../../examples/i-love-you.json'), 'utf8')) as Doc;
const part = (base: Doc, document: Doc) => ({ requestUpdate: () => undefined, store: { documents: { base, document },
  book: { catalogue: { mechanisms: [], systems: [] } }, view: {} } as unknown as Store });
afterEach(() => speak('en'));

test('saved files are called by the title and their contents, in the language of the page', async () => {
  const changed = { ...byHand, seed: 5, inputs: {} } as Doc;
  const { title: _title, ...untitled } = byHand;
  const names = () => [savedName(part(byHand, byHand), 'csv', `A ${strings.cost.open}`),
    savedName(part(byHand, changed), 'json'), savedName(part(untitled as Doc, untitled as Doc), 'json')];
  expect(names()).toEqual(['je-t-aime-by-hand-a-cost.csv', 'je-t-aime-by-hand-changed.json',
    'attention-experiment.json']);
  await speak('de');
  expect(names()).toEqual(['je-t-aime-von-hand-a-kosten.csv', 'je-t-aime-von-hand-geandert.json',
    'attention-experiment.json']);
  await speak('ar');
  expect(names()[2]).toBe('تجربة-انتباه.json');
});

test('the same tensor of two layers gets two file names', () => {
  const layer = (within: string, group: Named['group'] = 'outputs'): Named => ({ name: `${within}.weights`, group,
    role: 'weights', within, dimensions: [{ role: 'query' }, { role: 'key' }] as Named['dimensions'] });
  const slope = (within: string): Named => ({ ...layer(within, 'gradients'), of: layer(within) as Named['of'] });
  for (const of of [layer, slope]) {
    const names = ['layer-1.attention', 'layer-2.attention', 'decoder.layer-1.attention'].map((within) =>
      savedName(part(byHand, byHand), 'csv', naming(of(within)).title));
    expect(new Set(names).size, names.join()).toBe(3);
  }
});
