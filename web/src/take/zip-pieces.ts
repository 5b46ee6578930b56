// SPDX-License-Identifier: Apache-2.0
// An archive that is written piece by piece.
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Piece } from './in-pieces.ts';

// A fixed date, so that the same numbers give the same file.
const mtime = new Date(2000, 0, 1);

/** A zip of these files. */
export function* zipped(files: Iterable<[name: string, pieces: Iterable<Piece>]>): Generator<Piece> {
  let made: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((problem, part) => {
    if (problem) throw problem;
    made.push(part);
  });
  function* taken(numbers: number): Generator<Piece> {
    const parts = made;
    made = [];
    for (const [k, part] of parts.entries()) yield { part, numbers: k === 0 ? numbers : 0 };
    if (parts.length === 0) yield { part: '', numbers };
  }
  for (const [name, pieces] of files) {
    const file = new ZipDeflate(name);
    file.mtime = mtime;
    zip.add(file);
    for (const { part, numbers } of pieces) {
      file.push(typeof part === 'string' ? strToU8(part) : part);
      yield* taken(numbers);
    }
    file.push(new Uint8Array(0), true);
    yield* taken(0);
  }
  zip.end();
  yield* taken(0);
}
