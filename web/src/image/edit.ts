// SPDX-License-Identifier: Apache-2.0
// Puts pictures into an input of the document: drawn by a seed, from a file, or painted by hand.
import type { JsonObject } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import type { Rgb } from './draw.ts';
import { inputOf, pictureOf, type Size, sizeOf } from './pixels.ts';
import type { Preparation } from './prepare.ts';
import { keepOrigin } from './source.ts';

export const LARGEST_SIDE = 48;

/** The numbers of an image input as they are now, with its shape. */
export function numbersOf(store: Store, name: string): { data: ArrayLike<number>; shape: number[] } | undefined {
  const tensor = store.sessions.result?.whole(name, 'inputs');
  const given = (store.documents.document.inputs[name] ?? {}) as JsonObject;
  const { shape, data, matrix } = given;
  // What is painted is seen before its numbers are back from the engine.
  if (Array.isArray(shape) && Array.isArray(data)) return { shape: shape.map(Number), data: data.map(Number) };
  if (Array.isArray(matrix) && Array.isArray(matrix[0]))
    return { shape: [matrix.length, matrix[0].length], data: (matrix as number[][]).flat() };
  return tensor && { shape: tensor.shape, data: tensor.data };
}

/** Puts red, green and blue of every pixel into the input. */
export function putPixels(store: Store, name: string, pixels: ArrayLike<number>, size: Size, how?: Preparation,
  gesture?: string): void {
  store.documents.change((draft) => void (draft.inputs[name] = inputOf(pixels, size, how)), gesture);
}

/** A brush that is held: every stroke from the press to the release is one step of undo. */
export class Brush {
  private readonly size: Size;
  private readonly pixels: Float32Array;
  private last: [row: number, col: number] | undefined;

  constructor(private readonly store: Store, private readonly name: string, private readonly colour: Rgb,
    shape: number[], data: ArrayLike<number>, private readonly how?: Preparation) {
    this.size = sizeOf(shape);
    this.pixels = pictureOf(data, this.size);
  }

  /** Paints from where it was to this pixel. */
  to(row: number, col: number): void {
    const [fromRow, fromCol] = this.last ?? [row, col];
    const steps = Math.max(1, Math.abs(row - fromRow), Math.abs(col - fromCol));
    for (let k = 0; k <= steps; k++)
      this.dab(Math.round(fromRow + ((row - fromRow) * k) / steps),
      Math.round(fromCol + ((col - fromCol) * k) / steps));
    this.last = [row, col];
    putPixels(this.store, this.name, this.pixels, this.size, this.how, `paint ${this.name}`);
  }

  lift(): void {
    this.store.documents.endGesture();
    const { shape, data } = inputOf(this.pixels, this.size, this.how) as { shape: number[]; data: number[] };
    keepOrigin(this.store.documents.document.inputs[this.name],
      { source: { kind: 'painted', numbers: { shape, data } }, size: this.size });
  }

  private dab(row: number, col: number): void {
    const { height, width } = this.size;
    // A line is about a twelfth of the picture wide, so that it can be seen.
    const wide = Math.max(1, Math.round(Math.min(height, width) / 12));
    const [top, left] = [row - Math.floor(wide / 2), col - Math.floor(wide / 2)];
    for (let i = Math.max(0, top); i < Math.min(height, top + wide); i++) {
      for (let j = Math.max(0, left); j < Math.min(width, left + wide); j++)
        this.colour.forEach((value, c) => (this.pixels[(i * width + j) * 3 + c] = value));
    }
  }
}
