// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Files on their way into a module, part by part.
import { expect, it, vi } from 'vitest';
import { type Calling, handOver } from '../src/engine/hand-over.ts';
import { WeightFiles } from '../src/engine/weights.ts';
import { holdWeights } from '../src/engine/kept.ts';
import { FileProblem } from '../src/files/data.ts';
import { inOrder, PART, partsOf, release } from '../src/files/slices.ts';
import { ReadFiles, storeOf } from '../src/models/store-weights.ts';
import type { Importer } from '../src/models/types.ts';

const size = 2 * PART + 5;
const bytes = Uint8Array.from({ length: size }, (_, k) => k % 251);
const gathered = async <One>(list: AsyncIterable<One>): Promise<One[]> => {
  const all: One[] = [];
  for await (const one of list) all.push(one);
  return all;
};
const gone = (): Blob => {
  const blob = new Blob(['1234']);
  const arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  return Object.assign(blob, { arrayBuffer, slice: () => blob });
};

it('what is asked for comes in its order, four at once, and a failure where it is met', async () => {
  let under = 0, most = 0;
  const task = (k: number) => async () => {
    most = Math.max(most, ++under);
    await new Promise((resolve) => setTimeout(resolve, k === 0 ? 5 : 0));
    under--;
    if (k === 3) throw new Error('the fourth');
    return k;
  };
  expect(await gathered(inOrder([0, 1, 2].map(task)))).toEqual([0, 1, 2]);
  expect(most).toBe(3);
  const met: number[] = [];
  await expect((async () => {
    for await (const k of inOrder([1, 2, 3, 4].map(task))) met.push(k);
  })()).rejects.toThrow('the fourth');
  expect(met).toEqual([1, 2]);
});

it('a file of the browser comes in parts, one in memory as it is, an empty one once', async () => {
  const parts = await gathered(partsOf('large', new Blob([bytes])));
  expect(parts.map(({ at, bytes: { length } }) => [at, length])).toEqual([[0, PART], [PART, PART], [2 * PART, 5]]);
  expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true);
  expect((await gathered(partsOf('whole', bytes))).map((part) => part.bytes === bytes)).toEqual([true]);
  expect((await gathered(partsOf('empty', new Blob([])))).map((part) => part.bytes.length)).toEqual([0]);
  await expect(gathered(partsOf('lost', gone()))).rejects.toThrow('"lost": it has changed or cannot be read at byte 0');
});

it('a module is given a file once; what it says against it is a problem of the file; it is asked again', async () => {
  const taken: [string, number, number][] = [];
  let says: object = {};
  const module = { weights: vi.fn((name: string, all: number, at: number) => {
    taken.push([name, all, at]);
    return JSON.stringify(says);
  }) };
  const call: Calling = (work) => Promise.resolve(work(module));
  holdWeights('own-a.safetensors', new Uint8Array(3));
  const document = JSON.stringify({ parameters: { from: 'own-a.safetensors' } });
  const files = new WeightFiles({});
  await Promise.all([files.ready(call, document), files.ready(call, document, '{}')]);
  expect(taken).toEqual([['own-a.safetensors', 3, 0]]);
  files.forget();
  says = { error: { message: 'no weights' } };
  await expect(files.ready(call, document)).rejects.toThrow(FileProblem);
  says = {};
  await files.ready(call, document);
  expect(taken).toHaveLength(3);
  await expect(handOver('lost', gone(), call)).rejects.toThrow('"lost"');
});

it('of large files a module keeps those that are asked for with the last one', async () => {
  const did: string[] = [];
  const module = { forgetWeights: (name: string) => void did.push(`forget ${name}`),
    weights: (name: string) => (did.push(name), '{}') };
  const call: Calling = (work) => Promise.resolve(work(module));
  for (const name of ['own-b', 'own-c', 'own-d']) holdWeights(name, new Blob(['1']));
  holdWeights('own-small', new Uint8Array(1));
  const from = (name: string): string => JSON.stringify({ parameters: { from: name } });
  const files = new WeightFiles({});
  await files.ready(call, from('own-small'));
  await files.ready(call, from('own-b'), from('own-c'));
  await files.ready(call, from('own-d'), from('own-c'));
  await files.ready(call, from('own-small'), from('own-d'));
  await files.ready(call, from('own-b'));
  expect(did).toEqual(['own-small', 'own-b', 'own-c', 'forget own-b', 'own-d', 'forget own-c', 'forget own-d',
    'own-b']);
});

it('a module is too large when most of what it grew for is needed by no open document', async () => {
  const call: Calling = (work) => Promise.resolve(work({ weights: () => '{}', forgetWeights: () => undefined }));
  const [large, other, few] = [20_000_000, 12_000_000, 1_000_000];
  for (const [name, length] of [['own-l', large], ['own-o', other], ['own-f', few]] as const)
    holdWeights(name, new Blob([new Uint8Array(length)]));
  const from = (name: string): string => JSON.stringify({ parameters: { from: name } });
  const files = new WeightFiles({});
  await files.ready(call, from('own-f'));
  expect(files.isTooLarge(new Set())).toBe(false);
  await files.ready(call, from('own-l'));
  expect(files.isTooLarge(new Set(['own-l']))).toBe(false);
  expect(files.isTooLarge(new Set())).toBe(true);
  // It keeps the memory of the file that it forgot.
  await files.ready(call, from('own-o'));
  expect(files.isTooLarge(new Set(['own-o']))).toBe(false);
  await files.ready(call, from('own-f'));
  expect(files.isTooLarge(new Set(['own-f']))).toBe(true);
  files.forget();
  expect(files.isTooLarge(new Set())).toBe(false);
});

it('a module that takes a file in ahead is not too large until the file is dropped', async () => {
  const call: Calling = (work) => Promise.resolve(work({ weights: () => '{}', forgetWeights: () => undefined }));
  const { port1, port2 } = new MessageChannel();
  const files = new WeightFiles({});
  const taken = files.take('own-ahead', port1, call);
  const size = 20_000_000;
  port2.postMessage({ at: 0, size, bytes: new Uint8Array(size) });
  await taken;
  expect(files.isTooLarge(new Set())).toBe(false);
  await files.drop('own-ahead', call);
  expect(files.isTooLarge(new Set())).toBe(true);
  port2.close();
});

const plain = { from: 'own', small: false, port: undefined, kept: [] };
// A module that has one tensor to pass, and two that lie in one stretch.
function importer(read: ReadFiles): Importer {
  const pass = { numbers: size, lies: { file: 0, first: 2, bytes: size - 2 }, passes: true };
  const lies = { file: 1, first: 1, bytes: 3 };
  return {
    store: (_: string, take: (part: Uint8Array) => void) => {
      take(new TextEncoder().encode('head'));
      const turned = { numbers: 3, lies, passes: false };
      return JSON.stringify({ document: { title: 'it' }, bytes: size + 8, steps: [turned, pass, turned] });
    },
    check: (_: number, at: number, part: Uint8Array) =>
      JSON.stringify(part[0] === (at + 2) % 251 ? {} : { error: { message: `byte ${at}` } }),
    convert: (_: number, take: (part: Uint8Array) => void) => {
      take(read.slice(lies.file, lies.first, lies.bytes)!.toReversed());
      return '{}';
    },
  } as unknown as Importer;
}

it('weights become one file: what passes lies where it lay, the rest is what the module makes of it', async () => {
  const files = [new File([bytes], 'a'), new File(['1234'], 'b')];
  const slice = vi.spyOn(files[1]!, 'slice');
  const read = new ReadFiles(files);
  const shares: number[] = [];
  const { text, file } = await storeOf((work) => Promise.resolve(work(importer(read))), read, plain,
    (done, all) => shares.push(done / all));
  expect(JSON.parse(text)).toEqual({ title: 'it' });
  const made = new Uint8Array(await file!.arrayBuffer());
  expect(Buffer.from(made).equals(Buffer.concat([Buffer.from('head432'), bytes.subarray(2), Buffer.from('432')])))
    .toBe(true);
  expect(slice, 'one stretch is read once').toHaveBeenCalledTimes(1);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

it('a file that is made is compared with all that are kept, to its last byte', async () => {
  const files = [new File([bytes], 'a'), new File(['1234'], 'b')];
  const right = Buffer.concat([Buffer.from('head432'), bytes.subarray(2), Buffer.from('432')]);
  const changed = (at: number): Blob => {
    const other = Uint8Array.from(right);
    other[at]! ^= 1;
    return new Blob([other]);
  };
  const kept = [{ name: 'longer', file: new Blob([right, 'x']) }, { name: 'first', file: changed(0) },
    { name: 'middle', file: changed(PART + 9) }, { name: 'last', file: changed(right.length - 1) }];
  const same = async (...more: typeof kept): Promise<string | undefined> => {
    const read = new ReadFiles(files);
    return (await storeOf((work) => Promise.resolve(work(importer(read))), read, { ...plain, kept: [...kept, ...more] },
      () => undefined)).same;
  };
  expect(await same()).toBeUndefined();
  expect(await same({ name: 'same', file: new Blob([Uint8Array.from(right)]) })).toBe('same');
});

it('a part that nobody needs any more takes no memory, and one may be given back twice', () => {
  const part = new Uint8Array(100);
  release(part);
  release(part);
  expect(part.length).toBe(0);
});

it('a part of what the browser holds is given back once the module has it, and bytes of the page are not', async () => {
  const seen: Uint8Array[] = [];
  const call: Calling = (work) => Promise.resolve(work({
    weights: (_name: string, _size: number, _at: number, part: Uint8Array) => {
      seen.push(part);
      return '{}';
    },
  } as unknown as Parameters<typeof work>[0]));
  await handOver('a', new Blob([bytes]), call);
  expect(seen.map((part) => part.length)).toEqual([0, 0, 0]);
  const own = bytes.slice();
  await handOver('b', own, call);
  expect(seen.at(-1)).toBe(own);
  expect(own.length).toBe(size);
});

it('of a file that changed is said which and where', async () => {
  const lost = new File([bytes], 'a');
  lost.slice = gone().slice;
  const read = new ReadFiles([lost, new File(['1234'], 'b')]);
  await expect(storeOf((work) => Promise.resolve(work(importer(read))), read, plain, () => undefined))
    .rejects.toThrow('"a": it has changed or cannot be read at byte 0');
});
