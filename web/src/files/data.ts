// SPDX-License-Identifier: Apache-2.0

/** A file of weights: its bytes, or, of a large one, what the browser holds outside of the page's memory. */
export type WeightsData = Uint8Array | Blob;

/** What is wrong with a file: its reader is told, and nothing else has failed. */
export class FileProblem extends Error {}

const LARGE = 16_000_000;

/** The file, moved out of the page's memory where it is large. */
export const outside = (file: WeightsData): WeightsData =>
  (file instanceof Blob || file.length < LARGE ? file : new Blob([file as Uint8Array<ArrayBuffer>]));

export const sizeOfFile = (file: WeightsData): number => (file instanceof Blob ? file.size : file.length);

/** Some bytes of a file, or all of them: where they are in memory, these and no copy. */
export async function bytesOfFile(file: WeightsData, from = 0, to = sizeOfFile(file)): Promise<Uint8Array> {
  if (!(file instanceof Blob) && from === 0 && to === file.length) return file;
  return file instanceof Blob ? new Uint8Array(await file.slice(from, to).arrayBuffer()) : file.subarray(from, to);
}
