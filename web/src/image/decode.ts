// SPDX-License-Identifier: Apache-2.0
// A file from outside as a small picture: decoded by the browser, its middle cut out, shrunk by means; or as a model's
// preprocessor resizes it.
import type { Box } from '../elements/shapes.ts';
import { type Preparation, resizing } from './prepare.ts';
import { resample } from './resample.ts';

export type Problem = 'notImage' | 'broken' | 'large';
export interface Remark {
  kind: 'tiny' | 'cut' | 'alpha' | 'grey' | 'enlarged' | 'resized' | 'squeezed';
  values: number[];
}

export interface Decoded {
  /** Red, green and blue of every pixel, from 0 to 1. */
  pixels: Float32Array;
  /** What was done to it, to be said. */
  remarks: Remark[];
}

export class NoImage extends Error {
  constructor(readonly problem: Problem) {
    super(problem);
  }
}

const LARGEST_FILE = 50_000_000;
const MOST_PIXELS = 100_000_000;
// Beyond this a picture is read no finer: its patches are a few pixels anyway.
const FINEST = 512;
// What a model reads is resized from all pixels of most photos.
const FINEST_PREPARED = 2048;

/** The middle of a picture that has the wanted proportions. */
export function middle(width: number, height: number, wanted: number): Box {
  const w = Math.min(width, height * wanted);
  const h = Math.min(height, width / wanted);
  return { x: (width - w) / 2, y: (height - h) / 2, w, h };
}

/** Means over the pixels that a smaller one covers, the transparent ones as much as they show; over black. */
export function shrink(bytes: ArrayLike<number>, from: { w: number; h: number }, height: number,
  width: number): { pixels: Float32Array; alpha: boolean; grey: boolean } {
  const pixels = new Float32Array(height * width * 3);
  let [alpha, grey] = [false, true];
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const [top, left] = [Math.floor((row * from.h) / height), Math.floor((col * from.w) / width)];
      const [bottom, right] = [Math.max(top + 1, Math.floor(((row + 1) * from.h) / height)),
        Math.max(left + 1, Math.floor(((col + 1) * from.w) / width))];
      const count = (bottom - top) * (right - left);
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const at = (y * from.w + x) * 4;
          const seen = bytes[at + 3]! / 255;
          if (seen < 1) alpha = true;
          if (bytes[at] !== bytes[at + 1] || bytes[at] !== bytes[at + 2]) grey = false;
          for (let c = 0; c < 3; c++) pixels[(row * width + col) * 3 + c]! += (bytes[at + c]! / 255) * seen / count;
        }
      }
    }
  }
  return { pixels, alpha, grey };
}

// A bitmap on a canvas, at most so many pixels a side.
function drawnOn(bitmap: ImageBitmap, part: Box,
  most: number): { data: Uint8ClampedArray; w: number; h: number } {
  const scale = Math.min(1, most / Math.max(part.w, part.h));
  const [w, h] = [Math.max(1, Math.round(part.w * scale)), Math.max(1, Math.round(part.h * scale))];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [w, h];
  const to = canvas.getContext('2d', { willReadFrequently: true });
  if (!to) throw new NoImage('broken');
  to.imageSmoothingQuality = 'high';
  to.drawImage(bitmap, part.x, part.y, part.w, part.h, 0, 0, w, h);
  return { data: to.getImageData(0, 0, w, h).data, w, h };
}

async function open(file: Blob): Promise<ImageBitmap> {
  if (file.type !== '' && !file.type.startsWith('image/')) throw new NoImage('notImage');
  if (file.size > LARGEST_FILE) throw new NoImage('large');
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new NoImage('broken');
  }
  if (bitmap.width * bitmap.height <= MOST_PIXELS) return bitmap;
  bitmap.close();
  throw new NoImage('large');
}

// A part of a picture, at most so many pixels a side, and how large the whole is.
async function seenIn(file: Blob, partOf: (w: number, h: number) => Box, most: number): Promise<{ w: number; h: number;
  part: Box; seen: ReturnType<typeof drawnOn> }> {
  const bitmap = await open(file);
  const { width: w, height: h } = bitmap;
  const part = partOf(w, h);
  try {
    return { w, h, part, seen: drawnOn(bitmap, part, most) };
  } finally {
    bitmap.close();
  }
}

/** As a model's preprocessor makes it, in whole levels. */
async function prepare(file: Blob, height: number, width: number, how: Preparation): Promise<Decoded> {
  const { w, h, seen } = await seenIn(file, (wide, high) => ({ x: 0, y: 0, w: wide, h: high }), FINEST_PREPARED);
  const { to, window } = resizing(seen.w, seen.h, { width, height }, how);
  const levels = await resample(seen.data, seen, to, window, how.filter);
  const remarks: Remark[] = [];
  if (w !== width || h !== height) {
    const even = Math.abs(to.w * h - to.h * w) <= Math.max(w, h);
    remarks.push({ kind: even ? 'resized' : 'squeezed', values: [w, h, to.w, to.h] });
  }
  if (to.w > width || to.h > height) remarks.push({ kind: 'cut', values: [width, height, to.w, to.h] });
  for (let at = 3; at < seen.data.length; at += 4) {
    if (seen.data[at]! === 255) continue;
    remarks.push({ kind: 'alpha', values: [] });
    break;
  }
  return { pixels: Float32Array.from(levels, (level) => level / 255), remarks };
}

export async function decode(file: Blob, height: number, width: number, how?: Preparation): Promise<Decoded> {
  if (how) return prepare(file, height, width, how);
  const { w, h, part, seen } = await seenIn(file, (wide, high) => middle(wide, high, width / height), FINEST);
  const { pixels, alpha, grey } = shrink(seen.data, seen, height, width);
  const remarks: Remark[] = [];
  if (w === 1 && h === 1) remarks.push({ kind: 'tiny', values: [] });
  else if (w < width || h < height) remarks.push({ kind: 'enlarged', values: [w, h, width, height] });
  if (Math.round(part.w) < w || Math.round(part.h) < h)
    remarks.push({ kind: 'cut', values: [Math.round(part.w), Math.round(part.h), w, h] });
  if (alpha) remarks.push({ kind: 'alpha', values: [] });
  if (grey) remarks.push({ kind: 'grey', values: [] });
  return { pixels, remarks };
}
