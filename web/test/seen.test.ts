// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { decode, encode } from '../src/state/hash.ts';
import { readSeen, type Seen } from '../src/state/link-view.ts';
import type { Doc } from '../src/engine/types.ts';

const document: Doc = { schema: 's', inputs: {}, mechanism: { type: 'attention' } };
const seen: Seen = { view: 'lines', module: 'hop1', stage: 'weights', walk: 3, table: 'weights',
  large: 'scores', how: true,
  chosen: { head: 2, 'feature dv': 1 }, lock: { group: 'outputs', tensor: 'weights', index: [2, 1, 0] },
  pins: { 'outputs scores 4 signed': [-4, 4] }, slopes: ['outputs weights'] };

it('what is looked at goes through a link, and the engine sees nothing of it', () => {
  expect(decode(encode(document, undefined, seen))).toEqual({ document, seen });
  expect(decode(encode(document))).toEqual({ document });
});

it('of what a link says only what can be is taken', () => {
  expect(readSeen({ view: 'film', how: 'yes', walk: -1, chosen: { head: 1.5, dv: 2 },
    lock: { group: 'secrets', tensor: 'weights', index: [0] }, more: 1 })).toEqual({ chosen: { dv: 2 } });
  expect(readSeen({ lock: { group: 'outputs', tensor: 'weights', index: [0, '1'] } })).toEqual({});
  expect(readSeen({ lock: { group: 'outputs', tensor: 'weights', index: Array(1000).fill(0) } })).toEqual({});
  expect(readSeen({ pins: { a: [1, 0], b: [0, '1'], c: [0], d: null, e: [0, 2] } })).toEqual({ pins: { e: [0, 2] } });
  expect(readSeen({ slopes: ['a', 1] })).toEqual({});
  expect(readSeen({ slopes: Array(1000).fill('a') })).toEqual({});
  for (const nonsense of ['x', 3, null, [1], undefined]) expect(readSeen(nonsense)).toBeUndefined();
});
