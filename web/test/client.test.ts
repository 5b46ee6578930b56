// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { Client, type Port } from '../src/engine/client.ts';
import type { Request } from '../src/engine/worker.ts';

function stage() {
  const sent: Request[] = [];
  const port: Port = { postMessage: (m) => void sent.push(m), onmessage: null, onerror: null, terminate: () => undefined };
  const reply = (k: number) => port.onmessage?.({ data: { id: sent[k]!.id, text: `reply ${k}` } } as MessageEvent);
  return { sent, port, reply, client: new Client(() => port) };
}
const run = (document: string) => ({ kind: 'run', document }) as const;

it('sends one request at a time and drops those that a newer one made stale', async () => {
  const { sent, reply, client } = stage();
  const first = client.send(run('a'));
  const second = client.send(run('b'));
  const third = client.send(run('c'));
  expect(sent.length).toBe(1);
  expect(await second).toBeUndefined();
  reply(0);
  expect(await first).toEqual({ text: 'reply 0' });
  expect(sent.map((s) => (s as { document: string }).document)).toEqual(['a', 'c']);
  reply(1);
  expect(await third).toEqual({ text: 'reply 1' });
});

it('lets an explanation pass beside a run', () => {
  const { sent, client } = stage();
  void client.send(run('a'));
  void client.send({ kind: 'explain', document: 'a', tensor: 't', index: '[0]' });
  expect(sent.map((s) => s.kind)).toEqual(['run', 'explain']);
});

it('answers with an error when the worker fails, and with nothing when it is closed', async () => {
  const { port, client } = stage();
  const asked = client.send(run('a'));
  port.onerror?.({ message: 'no worker' } as ErrorEvent);
  expect(JSON.parse((await asked)!.text).error.message).toBe('no worker');
  const later = client.send(run('b'));
  client.close();
  expect(await later).toBeUndefined();
});
