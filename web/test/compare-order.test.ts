// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';
import { Book } from '../src/state/catalogue.ts';
import { Store } from '../src/state/store.ts';
import { output } from './directory.ts';

const catalogue: Catalogue = { schema: 's', mechanisms: [] };
const document: Doc = { schema: 's', seed: 1, inputs: {}, mechanism: { type: 'm' } };
const rest = async () => { for (let k = 0; k < 20; k++) await Promise.resolve(); };

it('asks for the other side of a comparison once this side is answered, and not for one that is stale', async () => {
  const sent: Request[] = [];
  const port: LinePort<Request> = { postMessage: (asked) => void sent.push(asked), onmessage: null, onerror: null,
    onmessageerror: null, terminate: () => undefined };
  const answer = (k: number) => {
    const text = JSON.stringify({ ok: true, labels: {}, warnings: [], measures: {}, document,
      tensors: [{ ...output('weights', [1, 1], ['m', 'n']), offset: 0 }] });
    port.onmessage?.({ data: { id: sent[k]!.id, text, taken: true, data: Float32Array.of(1) } } as MessageEvent);
    return rest();
  };
  const kinds = () => sent.map(({ kind }) => kind);
  const store = new Store(document, document, new Book(catalogue), new Client(lineTo(() => port)));
  store.documents.open({ ...document, seed: 2 }, { editing: 'A', mechanism: { type: 'other' } });
  await rest();
  expect(kinds()).toEqual(['open']);
  store.documents.set('/seed', 3);
  await rest();
  expect(kinds()).toEqual(['open']);
  await answer(0);
  expect(kinds()).toEqual(['open', 'change']);
  await answer(1);
  expect(kinds()).toEqual(['open', 'change', 'run']);
  const [, , run] = sent as [unknown, unknown, { document: string }];
  expect(JSON.parse(run.document)).toMatchObject({ seed: 3, mechanism: { type: 'other' } });
});
