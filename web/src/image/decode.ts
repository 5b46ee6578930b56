// SPDX-License-Identifier: Apache-2.0
// A file from outside as a small picture: decoded by the browser, its middle cut out, shrunk by means.

export type Problem = 'notImage' | 'broken' | 'large';
export type Remark = { kind: 'tiny' | 'cut' | 'alpha' | 'grey' | 'enlarged'; values: number[] };

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

/** The middle of a picture that has the wanted proportions. */
export function middle(width: number, height: number, wanted: number): { x: number; y: number; w: number; h: number } {
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

export async function decode(file: Blob, height: number, width: number): Promise<Decoded> {
  if (file.type !== '' && !file.type.startsWith('image/')) throw new NoImage('notImage');
  if (file.size > LARGEST_FILE) throw new NoImage('large');
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new NoImage('broken');
  }
  const { width: w, height: h } = bitmap;
  if (w * h > MOST_PIXELS) {
    bitmap.close();
    throw new NoImage('large');
  }
  const part = middle(w, h, width / height);
  const scale = Math.min(1, FINEST / Math.max(part.w, part.h));
  const [cw, ch] = [Math.max(1, Math.round(part.w * scale)), Math.max(1, Math.round(part.h * scale))];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [cw, ch];
  const to = canvas.getContext('2d', { willReadFrequently: true });
  if (!to) throw new NoImage('broken');
  to.imageSmoothingQuality = 'high';
  to.drawImage(bitmap, part.x, part.y, part.w, part.h, 0, 0, cw, ch);
  bitmap.close();
  const { pixels, alpha, grey } = shrink(to.getImageData(0, 0, cw, ch).data, { w: cw, h: ch }, height, width);
  const remarks: Remark[] = [];
  if (w === 1 && h === 1) remarks.push({ kind: 'tiny', values: [] });
  else if (w < width || h < height) remarks.push({ kind: 'enlarged', values: [w, h, width, height] });
  if (Math.round(part.w) < w || Math.round(part.h) < h)
    remarks.push({ kind: 'cut', values: [Math.round(part.w), Math.round(part.h), w, h] });
  if (alpha) remarks.push({ kind: 'alpha', values: [] });
  if (grey) remarks.push({ kind: 'grey', values: [] });
  return { pixels, remarks };
}
