// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// A file that comes again is found among those that are kept; any other file is new, however alike it is.
import { expect, it } from 'vitest';
import { areSame, SameFile, sameAmong } from '../src/files/same-file.ts';

const counted = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, k) => k % 251);

it('compares bytes wherever they lie in memory', () => {
  for (const [mine, theirs] of [[0, 0], [4, 8], [1, 0], [1, 3], [2, 4]] as const) {
    for (const length of [0, 3, 4, 9, 64]) {
      const one = new Uint8Array(counted(mine + length).buffer, mine).fill(5);
      const other = new Uint8Array(counted(theirs + length).buffer, theirs).fill(5);
      expect(areSame(one, other), `${length} bytes at ${mine} and ${theirs}`).toBe(true);
      for (let at = 0; at < length; at++) {
        other[at] = 6;
        expect(areSame(one, other), `byte ${at} of ${length} at ${mine} and ${theirs}`).toBe(false);
        other[at] = 5;
      }
    }
  }
  expect(areSame(counted(4), counted(5))).toBe(false);
});

it('says that a file is the same only once all of it was compared', async () => {
  const bytes = counted(30);
  const same = new SameFile([{ name: 'kept', file: new Blob([bytes]) }], 30);
  await same.add(bytes.subarray(0, 7));
  await same.add(bytes.subarray(7, 29));
  expect([same.name, same.isNew]).toEqual([undefined, false]);
  await same.add(bytes.subarray(29));
  expect(same.name).toBe('kept');
});

it('finds the one of several, in memory or outside, and none that differs or cannot be read', async () => {
  const bytes = counted(1000);
  const other = bytes.slice();
  other[999]! ^= 1;
  const lost = new Blob([bytes]);
  lost.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('gone')) });
  const kept = [{ name: 'other', file: other }, { name: 'short', file: bytes.slice(0, 999) },
    { name: 'lost', file: lost }];
  const file = { name: 'new', file: new Blob([bytes]) };
  expect(await sameAmong([], file)).toBeUndefined();
  expect(await sameAmong(kept, file)).toBeUndefined();
  expect(await sameAmong([...kept, { name: 'blob', file: new Blob([bytes]) }], file)).toBe('blob');
  expect(await sameAmong([...kept, { name: 'memory', file: bytes }], file)).toBe('memory');
});
