// SPDX-License-Identifier: Apache-2.0
// Files as workers hand them to their modules.
import { bytesOfFile, FileProblem, sizeOfFile, type WeightsData } from './data.ts';

// Of workers alone, so that lib.dom does not know it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

/** A slice of what the browser holds, while the worker waits; null where the file was changed or removed since. */
export function sliceOf(file: Blob, first: number, count: number): Uint8Array | null {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(first, first + count)));
  } catch {
    return null;
  }
}

// A multiple of every number's bytes.
export const PART = 1 << 21;
// A browser takes some time for each request, however few bytes it is for.
const AT_ONCE = 4;

/** What these tasks give, in their order, of which some are under way at once. */
export async function* inOrder<Given>(tasks: Iterable<() => Promise<Given>>): AsyncGenerator<Given> {
  const under: Promise<Given>[] = [];
  for (const task of tasks) {
    const given = task();
    // Whoever waits for it hears of its failure; until then nobody does.
    given.catch(() => undefined);
    under.push(given);
    if (under.length >= AT_ONCE) yield await under.shift()!;
  }
  for (const given of under) yield await given;
}

/** Part of a file: its bytes from `at` on. */
export interface FilePart {
  at: number;
  bytes: Uint8Array;
}

/**
 * Gives the memory of a part back that nobody else has. A collector sees small objects and lets many of them add up to
 * a hundred megabytes before it takes them; what is sent to a port without a receiver is dropped at once.
 */
export function release({ buffer }: Uint8Array): void {
  // What was sent before is empty.
  if (buffer.byteLength === 0) return;
  const { port1: way, port2: receiver } = new MessageChannel();
  receiver.close();
  way.postMessage(null, [buffer as ArrayBuffer]);
  way.close();
}

/** Throws where the file was changed or removed since. */
export async function partOf(name: string, file: WeightsData, at: number, to: number): Promise<FilePart> {
  const bytes = await bytesOfFile(file, at, to).catch(() => undefined);
  if (!bytes) throw new FileProblem(`"${name}": it has changed or cannot be read at byte ${at}`);
  return { at, bytes };
}

/** A file, part by part in order: of one that the browser holds no more than a few parts are in memory. */
export async function* partsOf(name: string, file: WeightsData): AsyncGenerator<FilePart> {
  const size = sizeOfFile(file);
  const part = file instanceof Blob ? PART : Math.max(1, size);
  const starts = Array.from({ length: Math.max(1, Math.ceil(size / part)) }, (_, k) => k * part);
  yield* inOrder(starts.map((at) => () => partOf(name, file, at, Math.min(size, at + part))));
}
