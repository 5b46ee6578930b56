// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// A file of weights that goes to the engine while it is being made.
import { expect, it, vi } from 'vitest';
import type { Calling } from '../src/engine/hand-over.ts';
import { holdWeights } from '../src/engine/kept.ts';
import { WeightFiles } from '../src/engine/weights.ts';
import { PartReceiver, PartSender } from '../src/files/file-parts.ts';
import { ReadFiles, storeOf } from '../src/models/store-weights.ts';
import type { Importer } from '../src/models/types.ts';

const asks = (name: string): string => JSON.stringify({ parameters: { from: name } });
// What a module has been given, by name.
function taker(refuses = '') {
  const files = new Map<string, number[]>();
  const did: string[] = [];
  const module = {
    weights: (name: string, _: number, at: number, part: Uint8Array) => {
      if (at === 0) did.push(`take ${name}`);
      if (name === refuses) return JSON.stringify({ error: { message: 'no memory' } });
      files.set(name, [...(at === 0 ? [] : files.get(name)!), ...part]);
      return '{}';
    },
    forgetWeights: (name: string) => void (did.push(`forget ${name}`), files.delete(name)),
  };
  const call: Calling = (work) => Promise.resolve(work(module));
  return { files, did, call };
}
const kept = (name: string, ...bytes: number[]): void => holdWeights(name, new Blob([Uint8Array.from(bytes)]));

it('parts arrive in order and whole; what was sent is gone', async () => {
  const { port1, port2 } = new MessageChannel();
  const got: number[] = [];
  const receiver = new PartReceiver(port1, ({ bytes }) => Promise.resolve(void got.push(...bytes)));
  const sender = new PartSender(port2, 20);
  const given = Array.from({ length: 10 }, (_, k) => Uint8Array.of(2 * k, 2 * k + 1));
  for (const part of given) await sender.send(part);
  expect(await receiver.whole).toBe(true);
  expect(got).toEqual(Array.from({ length: 20 }, (_, k) => k));
  expect(given.every(({ length }) => length === 0)).toBe(true);
});

it('a receiver that refuses a part, or takes none for long, is sent no more', async () => {
  const one = new MessageChannel();
  const receiver = new PartReceiver(one.port1, ({ at }) =>
    (at < 2 ? Promise.resolve() : Promise.reject(new Error('full'))));
  const refused = new PartSender(one.port2, 100);
  for (let k = 0; k < 50; k++) await refused.send(new Uint8Array(1));
  expect(await receiver.whole).toBe(false);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const two = new MessageChannel();
  const post = vi.spyOn(two.port2, 'postMessage');
  const waiting = new PartSender(two.port2, 100);
  for (let k = 0; k < 4; k++) await waiting.send(new Uint8Array(1));
  const fifth = waiting.send(new Uint8Array(1));
  await vi.advanceTimersByTimeAsync(2100);
  await fifth;
  await waiting.send(new Uint8Array(1));
  expect(post).toHaveBeenCalledTimes(4);
  vi.useRealTimers();
  for (const port of [two.port1, two.port2]) port.close();
});

it('the engine has what came when a document asks for it, and reads it else', async () => {
  const { files, did, call } = taker('own-refused');
  const known = new WeightFiles({});
  const send = async (name: string, size: number, ...bytes: number[]) => {
    const { port1, port2 } = new MessageChannel();
    const taken = known.take(name, port1, call);
    const sender = new PartSender(port2, size);
    for (const byte of bytes) await sender.send(Uint8Array.of(byte));
    return { taken, port2 };
  };
  kept('own-a', 1, 2);
  await (await send('own-a', 2, 1, 2)).taken;
  await known.ready(call, asks('own-a'));
  expect([did, files.get('own-a')]).toEqual([['take own-a'], [1, 2]]);
  // Half of one is on its way, and a document asks for another.
  kept('own-b', 3, 4);
  kept('own-c', 5);
  const { taken, port2 } = await send('own-b', 2, 3);
  await vi.waitFor(() => expect(files.get('own-b')).toEqual([3]));
  await known.ready(call, asks('own-c'), asks('own-a'));
  await taken;
  expect(did.slice(1)).toEqual(['take own-b', 'forget own-b', 'take own-c']);
  await known.ready(call, asks('own-b'), asks('own-a'));
  expect(files.get('own-b')).toEqual([3, 4]);
  port2.close();
  // Its module has no memory for one: it is read when it is asked for, and then the module says so.
  kept('own-refused', 6);
  await (await send('own-refused', 1, 6)).taken;
  await expect(known.ready(call, asks('own-refused'))).rejects.toThrow('no memory');
  // The reader gave it up.
  await (await send('own-d', 1, 7)).taken;
  await known.drop('own-d', call);
  expect(files.has('own-d')).toBe(false);
  kept('own-d', 8);
  await known.ready(call, asks('own-d'));
  expect(files.get('own-d')).toEqual([8]);
  // One that a document has is never replaced.
  await (await send('own-d', 1, 9)).taken;
  await known.drop('own-d', call);
  expect(files.get('own-d')).toEqual([8]);
});

it('a document that asks for what is still coming waits for it, and for one that stopped coming not for long',
  async () => {
    const { files, did, call } = taker();
    const known = new WeightFiles({});
    kept('own-e', 1, 2);
    const { port1, port2 } = new MessageChannel();
    void known.take('own-e', port1, call);
    const sender = new PartSender(port2, 2);
    await sender.send(Uint8Array.of(1));
    const ready = known.ready(call, asks('own-e'));
    await sender.send(Uint8Array.of(2));
    await ready;
    expect([did, files.get('own-e')]).toEqual([['take own-e'], [1, 2]]);
    kept('own-f', 3, 4);
    const lost = new MessageChannel();
    void known.take('own-f', lost.port1, call);
    await new PartSender(lost.port2, 2).send(Uint8Array.of(3));
    await known.ready(call, asks('own-f'), asks('own-e'));
    expect(files.get('own-f')).toEqual([3, 4]);
    lost.port2.close();
  });

it('what is sent on is the file that is made', async () => {
  const { files, call } = taker();
  const read = new ReadFiles([new File([Uint8Array.from([9, 1, 2, 3])], 'a')]);
  const lies = { file: 0, first: 1, bytes: 3 };
  const module = {
    store: (_: string, take: (part: Uint8Array) => void) => {
      take(Uint8Array.of(7, 7));
      const steps = [true, false].map((passes) => ({ numbers: 3, lies, passes }));
      return JSON.stringify({ document: {}, bytes: 8, steps });
    },
    check: () => '{}',
    convert: (_: number, take: (part: Uint8Array) => void) => {
      take(read.slice(0, 1, 3)!.toReversed());
      return '{}';
    },
  } as unknown as Importer;
  const known = new WeightFiles({});
  const { port1, port2 } = new MessageChannel();
  const taken = known.take('own-g', port1, call);
  const { file } = await storeOf((work) => Promise.resolve(work(module)), read,
    { from: 'own-g', small: false, port: port2, kept: [] }, () => undefined);
  await taken;
  expect(files.get('own-g')).toEqual([...new Uint8Array(await file!.arrayBuffer())]);
  expect(files.get('own-g')).toEqual([7, 7, 1, 2, 3, 3, 2, 1]);
});
