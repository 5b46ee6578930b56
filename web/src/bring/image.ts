// SPDX-License-Identifier: Apache-2.0
import { append } from '../lists.ts';
import type { Found } from './input-data.ts';

const FINE = 2;

/** The picture cut into n × n regions. */
export interface Regions {
  canvas: HTMLCanvasElement;
  /** Colour of each region's four quarters, from -1 to 1; one region a row. */
  rows: number[][];
  labels: string[];
  /** The mean colour of each region as an image of n × n × 3. */
  mean: Found & { kind: 'tensor' };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Nothing learned is in these numbers: they are the colours as they are. */
export async function cut(file: Blob, n: number): Promise<Regions> {
  const bitmap = await createImageBitmap(file);
  const side = n * FINE;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 240;
  const shown = canvas.getContext('2d');
  const small = document.createElement('canvas');
  small.width = small.height = side;
  const to = small.getContext('2d', { willReadFrequently: true });
  if (!to || !shown) throw new Error('no canvas');
  // The middle square of the picture, so that regions are squares too.
  const edge = Math.min(bitmap.width, bitmap.height);
  const [x, y] = [(bitmap.width - edge) / 2, (bitmap.height - edge) / 2];
  shown.drawImage(bitmap, x, y, edge, edge, 0, 0, 240, 240);
  halve(to, canvas, side);
  const { data } = to.getImageData(0, 0, side, side);
  bitmap.close();
  const colour = (row: number, col: number) =>
    [0, 1, 2].map((c) => (data[(row * side + col) * 4 + c] ?? 0) / 127.5 - 1);
  const rows: number[][] = [];
  const labels: string[] = [];
  const means: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const quarters = [0, 1].flatMap((a) => [0, 1].map((b) => colour(i * FINE + a, j * FINE + b)));
      rows.push(quarters.flat().map(round));
      labels.push(`${i + 1}.${j + 1}`);
      append(means, [0, 1, 2].map((c) => round(quarters.reduce((sum, q) => sum + (q[c] ?? 0), 0) / quarters.length)));
    }
  }
  return { canvas, rows, labels, mean: { kind: 'tensor', shape: [n, n, 3], data: means } };
}

// Shrinking by halves averages the pixels; in one leap most of them would be skipped.
function halve(to: CanvasRenderingContext2D, from: HTMLCanvasElement, side: number): void {
  let source = from;
  for (let now = from.width / 2; now > side; now /= 2) {
    const next = document.createElement('canvas');
    next.width = next.height = Math.round(now);
    next.getContext('2d')?.drawImage(source, 0, 0, next.width, next.height);
    source = next;
  }
  to.drawImage(source, 0, 0, side, side);
}
