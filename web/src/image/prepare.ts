// SPDX-License-Identifier: Apache-2.0
// How a picture becomes the numbers that a model was trained on: resized, cut, and its colours normalised.
import type { Box } from '../elements/shapes.ts';

/** What the model's preprocessor_config.json says; each member may be absent. */
export interface Preparation {
  /** Subtracted from each colour between 0 and 1: one number, or one for each channel. */
  mean?: number | number[];
  /** Each colour is divided by it then. */
  std?: number | number[];
  /** What a level from 0 to 255 is multiplied by before. */
  rescale?: number;
  /** Height and width after resizing, whatever the proportions were. */
  side?: number;
  /** The shorter edge after resizing, in the same proportions. */
  edge?: number;
  /** How pixels are averaged, by the number that Pillow gives it: 1 Lanczos, 2 bilinear, 3 bicubic. */
  filter?: number;
}

const HALF = 0.5;
const LEVELS = 255;
const FINE = 1e5;

const of = (values: number | number[] | undefined, channel: number): number =>
  (Array.isArray(values) ? values[channel] ?? values[0] : values) ?? HALF;
const scaleOf = ({ rescale }: Preparation): number => (rescale ?? 1 / LEVELS) * LEVELS;

/** A colour from 0 to 1 as the number that the model reads. */
export const prepared = (colour: number, channel: number, how: Preparation): number =>
  Math.round((colour * scaleOf(how) - of(how.mean, channel)) / of(how.std, channel) * FINE) / FINE;

/** The colour from 0 to 1 that such a number is. */
export const colourOf = (value: number, channel: number, how: Preparation): number =>
  Math.min(1, Math.max(0, (value * of(how.std, channel) + of(how.mean, channel)) / scaleOf(how)));

/** To which size a picture is resized, and which part of that the model reads. */
export function resizing(w: number, h: number, wanted: { width: number; height: number },
  how: Preparation): { to: { w: number; h: number }; window: Box } {
  const { width, height } = wanted;
  let to = { w: width, h: height };
  if (typeof how.edge === 'number' && how.edge >= Math.max(width, height)) {
    const [edge, shorter] = [Math.floor(how.edge), Math.min(w, h)];
    to = { w: Math.floor((edge * w) / shorter), h: Math.floor((edge * h) / shorter) };
  } else if (typeof how.side === 'number' && how.side >= Math.max(width, height)) to = { w: how.side, h: how.side };
  return { to, window: { x: Math.floor((to.w - width) / 2), y: Math.floor((to.h - height) / 2), w: width, h: height } };
}

/** The colours of an input's numbers, computed once for as long as the input stays the same. */
export class Colours {
  private last: { input: unknown; how: Preparation; data: Float32Array } | undefined;

  of({ data, shape }: { data: ArrayLike<number>; shape: readonly number[] }, input: unknown,
    how: Preparation): ArrayLike<number> {
    const channels = shape[2] ?? 1;
    if (!this.last || this.last.input !== input || this.last.how !== how)
      this.last = { input, how, data: Float32Array.from(data, (x, k) => colourOf(x, k % channels, how)) };
    return this.last.data;
  }
}
