// SPDX-License-Identifier: Apache-2.0
// What wakes the controls: another choice, not another number.
import { effect } from '@preact/signals-core';
import { expect, it } from 'vitest';
import { chosenIn } from '../src/controls/module-choices.ts';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Request } from '../src/engine/worker.ts';
import type { Doc } from '../src/engine/types.ts';
import { Store } from '../src/state/store.ts';
import { book, systemFiles } from './runs.ts';

const silent = (): LinePort<Request> =>
  ({ onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined, postMessage: () => undefined });
const made = (document: Doc) =>
  new Store(structuredClone(document), document, book, new Client(lineTo(silent)));

const attention: Doc = { schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 8 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'additive', alignment: { type: 'softmax' } } };

/** How often what reads the choices is woken by each of these. */
function woken(document: Doc, edits: readonly ((store: Store) => void)[]): number[] {
  const store = made(document);
  const chosen = chosenIn(store);
  let times = 0;
  const stop = effect(() => void (chosen.value, times++));
  const found = edits.map((edit) => {
    times = 0;
    edit(store);
    return times;
  });
  stop();
  return found;
}

it('a number that moves wakes no control but its own', () => {
  expect(woken(attention, [
    ({ documents }) => documents.set('/mechanism/alignment/temperature', 0.5),
    ({ documents }) => documents.set('/mechanism/alignment/temperature', 0.7),
    ({ documents }) => documents.set('/seed', 4),
    ({ documents }) => documents.set('/inputs/x/tokens', ['a', 'b', 'c']),
  ])).toEqual([0, 0, 0, 0]);
});

it('another choice, a place that is emptied, and words of another language wake them', () => {
  expect(woken(attention, [
    ({ documents }) => documents.set('/mechanism/alignment', { type: 'sparsemax' }),
    ({ documents }) => documents.set('/mechanism/mask', ['mask-causal']),
    ({ documents }) => documents.set('/mechanism/mask', undefined),
    ({ documents }) => documents.set('/mechanism/heads', { type: 'multi-head', count: 2 }),
    ({ documents }) => documents.undo(),
    ({ view }) => view.reword(),
  ])).toEqual([1, 1, 1, 1, 1, 1]);
});

it('so it is with the modules of a model', () => {
  const { document } = systemFiles.find(({ id }) => id === 'transformer')!;
  const [first] = document['model'] as { name: string }[];
  expect(woken(document as Doc, [
    ({ documents }) => documents.set('/seed', 12),
    ({ documents }) => documents.set('/model/0/name', `${first!.name}-again`),
    ({ documents }) => documents.change((draft) => void (draft['model'] as unknown[]).pop()),
  ])).toEqual([0, 1, 1]);
});
