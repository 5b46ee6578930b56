// SPDX-License-Identifier: Apache-2.0
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Request } from '../src/engine/worker.ts';

function stage() {
  const sent: Request[] = [];
  const port: LinePort<Request> = { postMessage: (m) => void sent.push(m), onmessage: null,
    onerror: null, onmessageerror: null, terminate: () => undefined };
  const reply = (k: number) => port.onmessage?.({ data: { id: sent[k]!.id, text: `reply ${k}` } } as MessageEvent);
  return { sent, port, reply, client: new Client(lineTo(() => port)) };
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

// A worker a life: each knows what it was asked, and can be loaded, answer or die.
function lives() {
  const ports: (LinePort<Request> & { sent: Request[]; ended: boolean })[] = [];
  const client = new Client(lineTo(() => {
    const port = { sent: [] as Request[], ended: false, postMessage: (m: Request) => void port.sent.push(m),
      onmessage: null, onerror: null, onmessageerror: null, terminate: () => void (port.ended = true) };
    ports.push(port);
    return port;
  }));
  const say = (life: number, data: unknown) => ports[life]!.onmessage?.({ data } as MessageEvent);
  const answer = (life: number, k = 0) => say(life, { id: ports[life]!.sent[k]!.id, text: `life ${life}` });
  const die = (life: number, message = 'out of memory') => {
    say(life, { alive: '' });
    ports[life]!.onerror?.({ message } as ErrorEvent);
  };
  const asked = (life: number) => ports[life]!.sent.map((m) => ('document' in m ? m.document : m.kind));
  return { ports, client, say, answer, die, asked };
}
const errorOf = (answer: { text: string } | undefined) => JSON.parse(answer!.text).error;

it('starts another worker when the memory of one is too large, unless it was asked something meanwhile', async () => {
  const { ports, client, say, answer, asked } = lives();
  const first = client.send(run('a'));
  say(0, { tooLarge: true });
  expect(ports).toHaveLength(1);
  answer(0);
  await first;
  say(0, { tooLarge: true });
  expect([ports.length, ports[0]!.ended, client.life]).toEqual([2, true, 2]);
  const second = client.send(run('b'));
  expect(asked(1)).toEqual(['b']);
  answer(1);
  expect(await second).toEqual({ text: 'life 1' });
});

it('starts a worker again that died, and asks once more', async () => {
  const { ports, client, answer, die, asked } = lives();
  const first = client.send(run('a'));
  die(0);
  expect([ports.length, ports[0]!.ended, asked(1)]).toEqual([2, true, ['a']]);
  answer(1);
  expect(await first).toEqual({ text: 'life 1' });
});

it('tells whoever killed two workers, and the next document is computed', async () => {
  const { client, answer, die, asked } = lives();
  const bad = client.send(run('bad'));
  die(0);
  const next = client.send(run('good'));
  die(1);
  expect(errorOf(await bad)).toEqual({ path: '', message: 'out of memory', crashed: true });
  expect(asked(2)).toEqual(['good']);
  answer(2);
  expect(await next).toEqual({ text: 'life 2' });
});

it('settles what waits when the worker dies', async () => {
  const { client, answer, die, asked } = lives();
  const first = client.send(run('a'));
  const second = client.send(run('b'));
  const told = client.send({ kind: 'explain', document: 'a', tensor: 't', index: '[0]' });
  die(0);
  expect(await first).toBeUndefined();
  expect(asked(1).toSorted()).toEqual(['a', 'b']);
  answer(1, 0);
  answer(1, 1);
  expect([await second, await told]).toEqual([{ text: 'life 1' }, { text: 'life 1' }]);
});

it('stops what is under way and what waits, and answers what is asked then in a new worker', async () => {
  const { ports, client, answer } = lives();
  const given = [client.send(run('long')), client.send(run('newer')),
    client.send({ kind: 'explain', document: 'old', tensor: 't', index: '[0]' })];
  client.stop();
  for (const one of given)
    expect(errorOf(await one)).toEqual({ path: '', message: 'the computation was stopped', stopped: true });
  expect([ports.length, ports[0]!.ended, client.under]).toEqual([1, true, undefined]);
  const next = client.send(run('next'));
  // What the old worker still says is nobody's.
  answer(0, 0);
  answer(1);
  expect(await next).toEqual({ text: 'life 1' });
  client.stop();
  expect(ports.length).toBe(2);
});

it('answers with nothing when it is closed', async () => {
  const { client } = lives();
  const later = client.send(run('b'));
  client.close();
  expect(await later).toBeUndefined();
});

it('tells what the worker is at and how far it is, and forgets that with the answer and with the worker', async () => {
  const { sent, reply, client, port } = stage();
  const tell = (k: number, share: number) =>
    port.onmessage?.({ data: { id: sent[k]!.id, share } } as MessageEvent);
  const answer = client.send(run('a'));
  const beside = client.send(run('b'), 'compare');
  expect([client.under, client.share]).toEqual([1, undefined]);
  tell(0, 0.25);
  tell(0, 0.5);
  expect(client.share).toBe(0.5);
  reply(0);
  expect(await answer).toEqual({ text: 'reply 0' });
  expect([client.under, client.share]).toEqual([2, undefined]);
  // What was answered has no share any more.
  tell(0, 0.75);
  expect(client.share).toBeUndefined();
  tell(1, 0.5);
  expect(client.share).toBe(0.5);
  client.stop();
  expect([client.under, client.share]).toEqual([undefined, undefined]);
  await beside;
});

it('tells of a worker whose files do not load', async () => {
  const { ports, client } = lives();
  const asked = client.send(run('a'));
  for (const life of [0, 1]) ports[life]!.onerror?.({} as ErrorEvent);
  expect(errorOf(await asked)).toMatchObject({ unloaded: true, message: 'the file of the worker could not be loaded' });
});

it('answers what was asked alone, whatever is asked beside it, and pushes nothing else aside', async () => {
  const { client, answer, asked } = lives();
  const given = [client.send(run('a')), client.ask(run('b')), client.ask(run('c')), client.send(run('d'), 'compare')];
  expect(asked(0)).toEqual(['a', 'b', 'c', 'd']);
  [0, 1, 2, 3].forEach((k) => answer(0, k));
  expect((await Promise.all(given)).map((one) => one?.text)).toEqual(Array(4).fill('life 0'));
});

describe('a worker that dies without an error', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('gives its lock back, and what it was asked is asked again', async () => {
    const waiting = new Map<string, () => void>();
    vi.stubGlobal('navigator', { locks: { request: async (name: string, then: () => void) =>
      void waiting.set(name, then) } });
    const { client, say, answer, asked } = lives();
    const given = client.send(run('a'));
    say(0, { alive: 'its lock' });
    waiting.get('its lock')!();
    expect(asked(1)).toEqual(['a']);
    say(1, { alive: 'another' });
    answer(1);
    expect(await given).toEqual({ text: 'life 1' });
    // One that was ended on purpose is no crash.
    client.close();
    waiting.get('another')!();
    expect(waiting.size).toBe(2);
  });
});
