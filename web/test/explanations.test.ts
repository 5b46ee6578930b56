// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Request } from '../src/engine/answer.ts';
import { Beat } from '../src/state/reading-pace.ts';
import { Documents } from '../src/state/documents.ts';
import { Explanations } from '../src/state/explanations.ts';
import type { Selection } from '../src/state/selection.ts';
import { Sessions } from '../src/state/sessions.ts';
import type { Doc } from '../src/engine/types.ts';

const doc = { schema: 's', inputs: {}, mechanism: {} } as unknown as Doc;
const turn = () => new Promise((done) => setTimeout(done));
const target = { group: 'outputs' as const, tensor: 'weights', index: [0, 0] };

test('numbers that come while a cell is followed back do not push its newest explanation aside', async () => {
  // It is fetched with the first explanation, which is no part of this.
  await import('../src/engine/traced.ts');
  const waiting: Request[] = [];
  const port: LinePort<Request> = { postMessage: (one) => void waiting.push(one), onmessage: null,
    onerror: null, onmessageerror: null, terminate: () => undefined };
  const client = new Client(lineTo(() => port));
  const result = signal<unknown>({ text: '0', directory: { tensors: [] }, find: () => undefined });
  const opened = { has: () => false };
  const sessions = { client, opened, explain: Sessions.prototype.explain, reading: new Beat(),
    get result() { return result.value; } } as unknown as Sessions;
  const selection = { lock: target, active: target } as unknown as Selection;
  const all = new Explanations(new Documents(doc, doc), sessions, selection);
  // Cells of a step lead on to others: each explanation is followed back by several questions.
  const feeds = [{ group: 'steps', tensor: 'E', cells: [[0, 0], [0, 1], [0, 2]] }];
  const answer = async () => {
    const one = waiting.shift();
    const value = one && 'document' in one ? Number(one.document) : 0;
    const text = JSON.stringify({ tensor: 'weights', index: [0, 0], value, formula: '', numbers: '', feeds });
    if (one) port.onmessage?.({ data: { id: one.id, text } } as MessageEvent);
    await turn();
  };
  result.value = { text: '1', directory: { tensors: [] }, find: () => undefined };
  await answer();
  // One of the earlier cell's questions waits behind the second explanation.
  result.value = { text: '2', directory: { tensors: [] }, find: () => undefined };
  await turn();
  while (waiting.length > 0) await answer();
  expect(all.explained?.answer.value).toBe(2);
});
