// SPDX-License-Identifier: Apache-2.0
// The words that fit where a text has a mask, beside what they were before the last change of the model.
import '../src/strings/en-later.ts';
import { ContextProvider } from '@lit/context';
import { expect, it, vi } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Doc } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';
import type { Model } from '../src/models/model-metadata.ts';
import { PiecesElement } from '../src/models/pieces.ts';
import type { Masked } from '../src/models/types.ts';
import { page } from '../src/part.ts';
import { Store } from '../src/state/store.ts';
import { book } from './runs.ts';

const { answer, beside } = vi.hoisted(() => ({ answer: { now: undefined as unknown, also: [] as readonly number[] },
  beside: { now: undefined as unknown, asked: [] as unknown[] } }));
vi.mock('../src/models/writing.ts', () => ({ writing: () => ({ follow: () => undefined, next: (...given: unknown[]) => {
  answer.also = given[5] as readonly number[];
  return Promise.resolve(answer.now);
},
  beside: (_: unknown, document: Doc, ids: number[], __: unknown, also: number[]) => {
    beside.asked.push([document['seed'], ids, also]);
    return Promise.resolve(beside.now);
  },
  decode: (_: unknown, ids: number[]) => Promise.resolve({ text: ids.join(' '), labels: ids.map(String) }) }) }));

const silent = (): LinePort<Request> =>
  ({ onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined, postMessage: () => undefined });
const masked = (...lists: [number, number][][]): Masked => ({ milliseconds: 1, masked: lists.map((list, k) => ({ row: k,
  words: list.map(([id, probability]) => ({ id, probability, token: `w${id}` })) })) });
const text = (...ids: number[]) => ({ text: { shape: [ids.length, 1], data: ids } });

it('keeps the words of each mask as they were before a change of the model, until the text is another', async () => {
  const start = { schema: 'attention-playground/1', seed: 1, inputs: text(4, 4), model: [] } as unknown as Doc;
  const store = new Store(start, start, book, new Client(lineTo(silent)));
  const host = document.createElement('div');
  new ContextProvider(host, { context: page, initialValue: store });
  document.body.append(host);
  const model = { name: 'm', file: new Blob(), tokenizer: true, hasInt8: false,
    writes: { kind: 'masked', input: 'text', predicts: 'predict' } } as unknown as Model;
  answer.now = masked([[1, 0.6], [2, 0.3]], [[3, 0.5], [1, 0.2]]);
  const part = Object.assign(new PiecesElement(), { model });
  host.append(part);
  const rest = async () => {
    for (let k = 0; k < 5; k++) await new Promise((done) => setTimeout(done));
    await part.updateComplete;
  };
  const lists = () => [...part.renderRoot.querySelectorAll('.next')].map((list) =>
    [...list.querySelectorAll<HTMLElement>('[data-before]')].map((one) => [one.dataset['before'], one.textContent]));
  const said = () => [...part.renderRoot.querySelectorAll('[data-part="changed"]')].map((one) => one.textContent);
  await rest();
  expect([lists(), said(), answer.also]).toEqual([[[], []], [], []]);

  // Of the first mask one word is new and one gone; of the second only the numbers changed.
  answer.now = masked([[1, 0.4], [5, 0.3]], [[3, 0.7], [1, 0.1]]);
  store.documents.set('/seed', 2);
  (answer.now as Masked).masked[0]!.also = [{ id: 2, token: 'w2', probability: 0.04, rank: 3 }];
  await rest();
  expect([...answer.also].sort()).toEqual([1, 2, 3]);
  expect(lists()).toEqual([[['1', 'before: 0.600'], ['5', 'new in the list']],
    [['3', 'before: 0.500'], ['1', 'before: 0.200']]]);
  expect(said().map((one) => one?.includes('No longer in the list: “w2” (before: 0.300, now: 0.0400).')))
    .toEqual([true, false]);

  // After a pause the document before the change answers what the new word had there.
  beside.now = masked([[1, 0.6], [2, 0.3]], [[3, 0.5], [1, 0.2]]);
  (beside.now as Masked).masked[0]!.also = [{ id: 5, token: 'w5', probability: 0.02, rank: 7 }];
  await vi.waitFor(() => expect(lists()[0]).toEqual([['1', 'before: 0.600'], ['5', 'before: 0.0200']]), 3000);
  expect(beside.asked).toEqual([[1, [4, 4], [5]]]);

  answer.now = masked([[1, 0.9]], [[3, 0.8]]);
  store.documents.change((draft) => { draft.inputs = text(4, 6) as never; });
  await rest();
  expect([lists(), said()]).toEqual([[[], []], []]);

  // Undo brings the text back, and with it what the change of the model did to its words.
  answer.now = masked([[1, 0.4], [5, 0.3]], [[3, 0.7], [1, 0.1]]);
  store.documents.undo();
  await rest();
  expect(lists()).toEqual([[['1', 'before: 0.600'], ['5', 'new in the list']],
    [['3', 'before: 0.500'], ['1', 'before: 0.200']]]);
});

it('tells inside the opened parts of a logit that the first words are still being computed', async () => {
  const start = { schema: 'attention-playground/1', seed: 1, inputs: text(4, 4), model: [
    { name: 'tokens', type: 'fm-lookup', inputs: { x: 'text' }, rows: 9, dim: 8 },
    { name: 'layer-1', type: 'transformer-block', inputs: { x: 'tokens' } },
    { name: 'predict', type: 'om-softmax', inputs: { x: 'layer-1' }, classes: 9 }] } as unknown as Doc;
  const store = new Store(start, start, book, new Client(lineTo(silent)));
  const host = document.createElement('div');
  new ContextProvider(host, { context: page, initialValue: store });
  document.body.append(host);
  const model = { name: 'm', file: new Blob(), tokenizer: true, hasInt8: false,
    writes: { kind: 'next', input: 'text', predicts: 'predict' } } as unknown as Model;
  answer.now = new Promise(() => undefined);
  const part = Object.assign(new PiecesElement(), { model });
  host.append(part);
  await part.updateComplete;
  const parts = () => part.renderRoot.querySelector('[data-part="coming"] [data-part="logit-parts"]')!;
  expect(parts().querySelector('.note')).toBeNull();
  part.taken = true;
  await part.updateComplete;
  expect(parts().querySelector('.note')!.textContent).toBe('Computing the next words …');
  host.remove();
});
