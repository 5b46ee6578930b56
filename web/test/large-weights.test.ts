// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Files of weights that the browser holds outside of the page's memory: the models of hundreds of megabytes.
import { expect, it } from 'vitest';
import { heldWeights, holdWeights, keptFile, keptWeights } from '../src/engine/kept.ts';
import { bytesOfFile, sizeOfFile } from '../src/files/data.ts';
import { countInHeader, readHeader, writeWeights } from '../src/files/weights.ts';
import { sameAmong } from '../src/files/same-file.ts';
import { keptUnder } from '../src/models/reading.ts';
import { carriedBy, ownReady } from '../src/state/local-weights.ts';

const COUNT = 4_500_000;
const file = writeWeights({ metadata: { writes: '{}' }, tensors: new Map([
  ['w', { dtype: 'F32', shape: [COUNT / 3, 3], bytes: new Uint8Array(4 * COUNT).fill(1) }],
  ['b', { dtype: 'I8', shape: [2], bytes: new Uint8Array(2) }],
  ['b.scale', { dtype: 'F32', shape: [], bytes: new Uint8Array(4) }],
]) });

it('are blobs from 16 MB on, and read by slices', async () => {
  holdWeights('own-large.safetensors', file);
  holdWeights('own-small.safetensors', Uint8Array.of(1, 2, 3));
  const large = heldWeights('own-large.safetensors')!;
  expect(large).toBeInstanceOf(Blob);
  expect(heldWeights('own-small.safetensors')).toBeInstanceOf(Uint8Array);
  expect(sizeOfFile(large)).toBe(file.length);
  expect(await bytesOfFile(large, 8, 12)).toEqual(file.slice(8, 12));
  expect(await keptFile('own-large.safetensors')).toBe(large);
  expect((await keptWeights('own-large.safetensors'))?.length).toBe(file.length);
});

it('tell by their header how many weights they have; a scale is none', async () => {
  const header = await readHeader(heldWeights('own-large.safetensors')!);
  expect(header['__metadata__']).toEqual({ writes: '{}' });
  expect(countInHeader(header)).toBe(COUNT + 2);
  await expect(readHeader(new Blob(['abc']))).rejects.toThrow('3 bytes');
});

it('are too many for a link, and saved as a file of their own', async () => {
  const document = { schema: 'x', inputs: {}, mechanism: { type: 'attention' },
    parameters: { from: 'own-large.safetensors' } };
  await ownReady(document);
  const { packed, tooMany, missing } = carriedBy(document);
  expect([packed, missing]).toEqual([[], []]);
  expect(tooMany.map(({ name, count, large }) => [name, count, large]))
    .toEqual([['own-large.safetensors', COUNT + 2, true]]);
});

it('keep their name only for the same bytes', async () => {
  const name = 'own-large.safetensors';
  const { kept, free } = await keptUnder(name);
  expect([kept.map((one) => one.name), free]).toEqual([[name], 'own-large-2.safetensors']);
  expect(await sameAmong(kept, { name, file: new Blob([file as Uint8Array<ArrayBuffer>]) })).toBe(name);
  const other = file.slice();
  other[other.length - 1] = 9;
  expect(await sameAmong(kept, { name, file: other })).toBeUndefined();
});
