// SPDX-License-Identifier: Apache-2.0
// A file of many numbers is written in pieces. Between two slices of work the page answers its reader.
/** A part of a file, and how many numbers it has. */
export interface Piece {
  part: string | Uint8Array<ArrayBuffer>;
  numbers: number;
}

// Milliseconds of writing in one task.
const SLICE = 16;
// Letters that are held as one text until the browser takes them out of the memory of the page's scripts.
const TOGETHER = 500_000;

// A timer would wait longer than a slice takes, and a second behind another tab.
const { scheduler } = globalThis as { scheduler?: { postTask?(work: () => void): Promise<void> } };
const pause = (): Promise<unknown> =>
  scheduler?.postTask?.(() => undefined) ?? new Promise((resolve) => setTimeout(resolve));

export const plain = (part: Piece['part']): Piece => ({ part, numbers: 0 });

/** Many small pieces as fewer large ones, which a file is made of. */
function* gathered(pieces: Iterable<Piece>): Generator<[piece: Blob | undefined, numbers: number]> {
  let [parts, length]: [Piece['part'][], number] = [[], 0];
  for (const { part, numbers } of pieces) {
    parts.push(part);
    length += part.length;
    const isFull = length >= TOGETHER;
    yield [isFull ? new Blob(parts) : undefined, numbers];
    if (isFull) [parts, length] = [[], 0];
  }
  yield [new Blob(parts), 0];
}

/**
 * The file of these pieces; undefined where it was given up. `all`: how many numbers it will have; `goesOn`: hears
 * which share of them is written, and answers whether the rest is wanted.
 */
export async function fileOf(pieces: Iterable<Piece>, type: string, all: number,
  goesOn: (share: number) => boolean): Promise<Blob | undefined> {
  const parts: Blob[] = [];
  let [done, began] = [0, performance.now()];
  for (const [part, numbers] of gathered(pieces)) {
    if (part) parts.push(part);
    done += numbers;
    if (performance.now() - began < SLICE) continue;
    if (!goesOn(all > 0 ? done / all : 0)) return undefined;
    await pause();
    began = performance.now();
  }
  return new Blob(parts, { type });
}
