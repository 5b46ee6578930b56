// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import type { Reply, Request } from '../src/engine/answer.ts';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import { Opened, upToDate, type Whole } from '../src/engine/open-document.ts';
import { OpenSessions, type SessionRequest } from '../src/engine/sessions.ts';
import type { Changes, Directory, Doc, Engine } from '../src/engine/types.ts';

const doc = (seed: number, more: object = {}): Doc =>
  ({ schema: 's', seed, inputs: {}, mechanism: { t: 1 }, ...more }) as unknown as Doc;
const tensor = (name: string, offset: number) => ({ group: 'outputs', name, shape: [2], axes: [], offset });
const directory = (document: Doc, read = 1) => ({ ok: true, read, tensors: [tensor('a', 0), tensor('b', 2)],
  labels: {}, warnings: [], measures: {}, document });

/** A line of workers; each answers what it is told to. */
function workers() {
  const lives: { sent: SessionRequest[]; port: LinePort<Request> }[] = [];
  const client = new Client(lineTo(() => {
    const sent: SessionRequest[] = [];
    const port: LinePort<Request> = { postMessage: (m) => void sent.push(m as SessionRequest), onmessage: null,
      onerror: null, onmessageerror: null, terminate: () => undefined };
    lives.push({ sent, port });
    return port;
  }));
  const say = (life: number, data: unknown) => lives[life]!.port.onmessage?.({ data } as MessageEvent);
  const reply = (life: number, text: object, data: number[] = [], more: Partial<Reply> = { taken: true }) =>
    say(life, { id: lives[life]!.sent.at(-1)!.id, text: JSON.stringify(text), data: Float32Array.from(data), ...more });
  const die = (life: number) => {
    say(life, { alive: '' });
    lives[life]!.port.onerror?.({ message: 'out of memory' } as ErrorEvent);
  };
  const last = (life: number) => lives[life]!.sent.at(-1);
  return { lives, client, opened: new Opened(client), reply, die, last };
}

const changes = (more: Partial<Changes> = {}): Changes => ({ ok: true, same: true, read: 2, changed: [1], formulas: {},
  measures: {}, warnings: [], document: { '/seed': 2 }, ...more });

it('opens a document once, then sends what differs and brings the answer up to date', async () => {
  const { opened, reply, last } = workers();
  const first = opened.compute(doc(1));
  expect(last(0)).toMatchObject({ kind: 'open', document: JSON.stringify(doc(1)) });
  reply(0, directory(doc(1)), [1, 2, 3, 4]);
  const one = (await first) as Whole;
  expect(one.numbers.map((n) => [...n])).toEqual([[1, 2], [3, 4]]);
  const second = opened.compute(doc(2));
  expect(last(0)).toMatchObject({ kind: 'change', changes: '{"/seed":2}', since: 1 });
  expect(last(0)).not.toHaveProperty('document');
  reply(0, changes(), [7, 8]);
  const two = (await second) as Whole;
  expect(two.numbers[0]).toBe(one.numbers[0]);
  expect([...two.numbers[1]!]).toEqual([7, 8]);
  expect(two.directory.document['seed']).toBe(2);
  expect(two.directory.tensors).toBe(one.directory.tensors);
  expect([opened.has(two.directory), opened.has(one.directory)]).toEqual([true, false]);
});

it('opens the document again in a worker that takes the place of one that died', async () => {
  const { opened, lives, reply, die, last } = workers();
  const first = opened.compute(doc(1));
  reply(0, directory(doc(1)), [1, 2, 3, 4]);
  const one = (await first) as Whole;
  const second = opened.compute(doc(2));
  expect(last(0)?.kind).toBe('change');
  die(0);
  expect(opened.has(one.directory)).toBe(false);
  expect(lives.length).toBe(2);
  expect(last(1)).toMatchObject({ kind: 'open', document: JSON.stringify(doc(2)) });
  reply(1, directory(doc(2)), [5, 6, 7, 8]);
  expect([...((await second) as Whole).numbers[0]!]).toEqual([5, 6]);
  void opened.compute(doc(3));
  expect(last(1)).toMatchObject({ kind: 'change', changes: '{"/seed":3}' });
});

it('opens the document again where the engine in the worker was started again', async () => {
  const { opened, reply, last } = workers();
  const first = opened.compute(doc(1));
  reply(0, directory(doc(1)), [1, 2, 3, 4]);
  await first;
  const second = opened.compute(doc(2));
  reply(0, {}, [], { lost: true });
  await new Promise((done) => setTimeout(done));
  expect(last(0)).toMatchObject({ kind: 'open', document: JSON.stringify(doc(2)) });
  reply(0, directory(doc(2), 5), [5, 6, 7, 8]);
  await second;
  void opened.compute(doc(3));
  expect(last(0)).toMatchObject({ kind: 'change', since: 5 });
});

it('compares with the last document that was taken: not with a refused one', async () => {
  const { opened, reply, last } = workers();
  const first = opened.compute(doc(1));
  reply(0, directory(doc(1)), [1, 2, 3, 4]);
  await first;
  const refused = { ok: false, error: { path: '/x', message: 'no' } };
  const second = opened.compute(doc(2, { x: 1 }));
  reply(0, refused, [], {});
  expect(await second).toEqual(refused);
  const third = opened.compute(doc(3));
  expect(last(0)).toMatchObject({ changes: '{"/seed":3}', since: 1 });
  // Taken, but its numbers could not be computed.
  reply(0, refused, [], { taken: true });
  await third;
  void opened.compute(doc(1));
  expect(last(0)).toMatchObject({ changes: '{"/seed":1}', since: 1 });
});

it('makes a request only when it is its turn', async () => {
  const { opened, reply, last, lives } = workers();
  const first = opened.compute(doc(1));
  const stale = opened.compute(doc(2));
  const third = opened.compute(doc(3));
  expect(await stale).toBeUndefined();
  reply(0, directory(doc(1)), [1, 2, 3, 4]);
  await first;
  expect(lives[0]!.sent.length).toBe(2);
  expect(last(0)).toMatchObject({ kind: 'change', changes: '{"/seed":3}' });
  reply(0, changes(), [0, 0]);
  await third;
});

it('writes changed formulas and shares numbers between names', () => {
  const before: Whole = { directory: { ...directory(doc(1)), tensors: [tensor('a', 0), tensor('b', 2), tensor('c', 2)],
    left: [{ ...tensor('d', 0), formula: 'old' }] } as unknown as Directory,
    numbers: [1, 2, 3].map((n) => Float32Array.of(n, n)) };
  const after = upToDate(before, changes({ formulas: { 0: 'F', 3: 'G' } }), Float32Array.of(9, 9));
  expect(after.directory.tensors.map(({ formula }) => formula)).toEqual(['F', undefined, undefined]);
  expect(after.directory.left?.[0]?.formula).toBe('G');
  expect(after.numbers.map((n) => n[0])).toEqual([1, 9, 9]);
});

it('computes in slices, and tells how far it is', async () => {
  const shares = [0.25, 0.5, 1];
  const told: number[] = [];
  const module = { open: () => '{"handle":4}', step: () => JSON.stringify({ share: shares.shift() }),
    readSince: (handle: number, last: number) => ({ directory: `${handle} ${last}`, data: new Float32Array(1) }) };
  const sessions = new OpenSessions((_, share) => void told.push(share));
  const call = <A>(work: (engine: Engine) => A) => Promise.resolve(work(module as unknown as Engine));
  const answer = await sessions.answer({ id: 1, kind: 'open', session: 's', document: '{}' }, call);
  expect(answer).toMatchObject({ text: '4 0', taken: true });
  expect(told).toEqual([0.25, 0.5]);
  const other = <A>(work: (engine: Engine) => A) => Promise.resolve(work({ ...module } as unknown as Engine));
  expect(await sessions.answer({ id: 2, kind: 'change', session: 's', changes: '{}', since: 1 }, other))
    .toMatchObject({ lost: true });
});
