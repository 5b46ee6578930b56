// SPDX-License-Identifier: Apache-2.0
// Whether a file is one that the browser keeps. Every byte is compared: two models of one family often have the same
// name, size, header and most of their numbers, so that no sample of them is certain. A hash would have to be computed
// for each model that is read, whereas this costs something only where a kept file has the same size.
import { sizeOfFile, type WeightsData } from './data.ts';
import { type FilePart, partsOf } from './slices.ts';

/** A file under the name by which documents ask for it. */
export interface NamedFile {
  name: string;
  file: WeightsData;
}

const WORD = Uint32Array.BYTES_PER_ELEMENT;
const isAligned = (bytes: Uint8Array): boolean => bytes.byteOffset % WORD === 0;
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD));

/** Loops instead of `every`, which takes ten times as long. */
export function areSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  if (isAligned(one) && isAligned(other)) {
    const [mine, theirs] = [wordsOf(one), wordsOf(other)];
    for (let k = 0; k < mine.length; k++) if (mine[k] !== theirs[k]) return false;
    at = mine.length * WORD;
  }
  for (; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

const NONE = new Uint8Array();

// A kept file, read in parts ahead of whoever compares.
class Reading {
  private readonly parts: AsyncGenerator<FilePart>;
  private part: Uint8Array = NONE;

  constructor(readonly name: string, file: WeightsData) {
    this.parts = partsOf(name, file);
  }

  /** Whether the file goes on with these bytes; one that cannot be read does not. */
  async goesOnWith(bytes: Uint8Array): Promise<boolean> {
    for (let at = 0; at < bytes.length;) {
      if (this.part.length === 0) this.part = await this.next();
      const count = Math.min(this.part.length, bytes.length - at);
      if (count === 0 || !areSame(bytes.subarray(at, at + count), this.part.subarray(0, count))) return false;
      this.part = this.part.subarray(count);
      at += count;
    }
    return true;
  }

  private async next(): Promise<Uint8Array> {
    try {
      const { value } = await this.parts.next() as IteratorResult<FilePart, undefined>;
      return value?.bytes ?? NONE;
    } catch {
      return NONE;
    }
  }
}

/** Finds a file of `size` bytes among those that are kept, while it is being made. */
export class SameFile {
  private left: Reading[];
  private compared = 0;

  constructor(kept: readonly NamedFile[], private readonly size: number) {
    this.left = kept.filter(({ file }) => sizeOfFile(file) === size).map(({ name, file }) => new Reading(name, file));
  }

  /** The next bytes of the file. */
  async add(bytes: Uint8Array): Promise<void> {
    this.compared += bytes.length;
    const still: Reading[] = [];
    for (const one of this.left) if (await one.goesOnWith(bytes)) still.push(one);
    this.left = still;
  }

  /** No kept file has the same bytes. */
  get isNew(): boolean {
    return this.left.length === 0;
  }

  /** The name of the kept file with the same bytes; none before all of them were compared. */
  get name(): string | undefined {
    return this.compared === this.size ? this.left[0]?.name : undefined;
  }
}

/** The name of the kept file that has the same bytes as this one. */
export async function sameAmong(kept: readonly NamedFile[], { name, file }: NamedFile): Promise<string | undefined> {
  const same = new SameFile(kept, sizeOfFile(file));
  if (same.isNew) return undefined;
  for await (const { bytes } of partsOf(name, file)) {
    await same.add(bytes);
    if (same.isNew) return undefined;
  }
  return same.name;
}
