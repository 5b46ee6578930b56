// SPDX-License-Identifier: Apache-2.0
// Files as workers hand them to their modules. Only workers may wait for a slice.
import type { ReadBySlices, WeightsData } from './data.ts';

// Of workers alone, so that lib.dom does not know it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

/** A slice of what the browser holds; null where the file was changed or removed since. */
export function sliceOf(file: Blob, first: number, count: number): Uint8Array | null {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(first, first + count)));
  } catch {
    return null;
  }
}

/** A file for a module, which copies it: one in the browser's keeping is never in the worker's memory as a whole. */
export const bySlices = (file: WeightsData): Uint8Array | ReadBySlices => (file instanceof Blob
  ? { size: file.size, read: (first, count) => sliceOf(file, first, count) } : file);
