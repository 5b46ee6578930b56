// SPDX-License-Identifier: Apache-2.0
// What a picture was made from. In another size, and for another system, it is made from that again: whoever shrinks
// and enlarges the small picture itself loses more of it each time.
import type { JsonObject } from '../engine/types.ts';
import { decode, type Remark } from './decode.ts';
import { isDrawing, motifPixels, type Motif, randomNumbers } from './draw.ts';
import { inputOf, pictureOf, type Size, sizeOf } from './pixels.ts';
import type { Preparation } from './prepare.ts';

export interface Numbers {
  shape: number[];
  data: ArrayLike<number>;
}

export type Source =
  | { kind: 'file'; file: Blob }
  | { kind: 'drawn'; motif: Motif; seed: number }
  | { kind: 'painted' | 'given'; numbers: Numbers };

/** A source, and the size that its first picture had, whose proportions every other one keeps. */
export interface Origin {
  source: Source;
  size: Size;
}

const origins = new WeakMap<object, Origin>();

/** What an input of a document was made from; undefined where it came with its numbers. */
export const originOf = (input: object | undefined): Origin | undefined => input && origins.get(input);

/** Keeps what an input was made from. An undone change brings the same input back, and so its source. */
export function keepOrigin(input: object | undefined, origin: Origin): void {
  if (input) origins.set(input, origin);
}

/** The reader chose this picture: it goes with the reader to another system, as words do. */
export const isOwn = ({ source }: Origin): boolean =>
  source.kind !== 'given' && !(source.kind === 'drawn' && !isDrawing(source.motif));

/** A size whose longer side has so many pixels. */
export function scaled({ height, width, channels }: Size, side: number): Size {
  const scale = side / Math.max(height, width);
  return { height: Math.max(1, Math.round(height * scale)), width: Math.max(1, Math.round(width * scale)), channels };
}

// Each value is the nearest that there was.
function nearest({ shape, data }: Numbers, { height, width }: Size, per: number): number[] {
  const from = sizeOf(shape);
  const made: number[] = [];
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const at = Math.floor(((row + 0.5) * from.height) / height) * from.width
        + Math.floor(((col + 0.5) * from.width) / width);
      for (let c = 0; c < per; c++) made.push(data[at * per + c] ?? 0);
    }
  }
  return made;
}

export const shapeOf = ({ height, width, channels }: Size): number[] =>
  (channels === undefined ? [height, width] : [height, width, channels]);

/** The input that a seed draws. */
export function drawnInput(motif: Motif, seed: number, size: Size, how?: Preparation): JsonObject {
  if (isDrawing(motif)) return inputOf(motifPixels(motif, seed, size.height, size.width), size, how);
  return { shape: shapeOf(size), data: randomNumbers(seed, size.height * size.width * (size.channels ?? 1)) };
}

/** A file as an input, with what was done to it. */
export interface Read {
  input: JsonObject;
  remarks: Remark[];
}

/** The input that a source makes in this size. A file takes a moment; everything else is there at once. */
export function inputFrom(source: Source, size: Size,
  how?: Preparation): JsonObject | Promise<Read> {
  if (source.kind === 'file') return decode(source.file, size.height, size.width, how)
    .then(({ pixels, remarks }) => ({ input: inputOf(pixels, size, how), remarks }));
  if (source.kind === 'drawn') return drawnInput(source.motif, source.seed, size, how);
  const { shape, data } = source.numbers;
  const from = sizeOf(shape);
  if (from.channels === size.channels && !how)
    return { shape: shapeOf(size), data: nearest(source.numbers, size, size.channels ?? 1) };
  const pixels = nearest({ shape: [from.height, from.width, 3], data: pictureOf(data, from) }, size, 3);
  return inputOf(pixels, size, how);
}
