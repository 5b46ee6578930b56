// SPDX-License-Identifier: Apache-2.0
// Colours as the numbers of an input, and the numbers of an input as colours.
import type { JsonObject } from '../engine/types.ts';
import { type Preparation, prepared } from './prepare.ts';

/** What an input of these channels holds of a picture, in their order; further channels hold nothing. */
export type Channel = 'red' | 'green' | 'blue' | 'brightness' | 'across' | 'down';
const COLOURED: readonly Channel[] = ['red', 'green', 'blue', 'brightness', 'across', 'down'];
const GREY: readonly Channel[] = ['brightness', 'across'];

export const channelsOf = (count: number): readonly Channel[] =>
  (count < 3 ? GREY.slice(0, count) : COLOURED.slice(0, count));

export const lightOf = (rgb: ArrayLike<number>, at = 0): number =>
  0.2126 * rgb[at]! + 0.7152 * rgb[at + 1]! + 0.0722 * rgb[at + 2]!;

/** An image's sizes; no channels where the port takes none. */
export interface Size {
  height: number;
  width: number;
  channels: number | undefined;
}

export const sizeOf = (shape: readonly number[]): Size =>
  ({ height: shape[0] ?? 1, width: shape[1] ?? 1, channels: shape.length > 2 ? shape[2] : undefined });

const round = (value: number): number => Math.round(value * 100) / 100;

/** What an input holds at one pixel, given the picture around it. */
function at(pixels: ArrayLike<number>, { height, width }: Size, row: number, col: number, channel: Channel): number {
  const place = (row * width + col) * 3;
  switch (channel) {
    case 'red': return pixels[place]!;
    case 'green': return pixels[place + 1]!;
    case 'blue': return pixels[place + 2]!;
    case 'brightness': return lightOf(pixels, place);
    case 'across': return col + 1 < width ? lightOf(pixels, place + 3) - lightOf(pixels, place) : 0;
    case 'down': return row + 1 < height ? lightOf(pixels, place + width * 3) - lightOf(pixels, place) : 0;
  }
}

/**
 * The input that a picture makes: red, green and blue of each pixel become its channels; `how`: as a model reads them.
 */
export function inputOf(pixels: ArrayLike<number>, size: Size, how?: Preparation): JsonObject {
  const { height, width, channels } = size;
  const kinds = channelsOf(channels ?? 1);
  const data: number[] = [];
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      for (let c = 0; c < (channels ?? 1); c++) {
        const kind = kinds[c];
        const colour = kind ? at(pixels, size, row, col, kind) : 0;
        data.push(how ? prepared(colour, c, how) : round(colour));
      }
    }
  }
  return { shape: channels === undefined ? [height, width] : [height, width, channels], data };
}

/** Where black and white lie: colours run from 0 to 1, or from -1 to 1, or over all there is. */
export function domainOf(data: ArrayLike<number>): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < data.length; k++) {
    const value = data[k]!;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low >= 0 && high <= 1) return [0, 1];
  if (low >= -1 && high <= 1) return [-1, 1];
  return low < high ? [low, high] : [low - 1, high + 1];
}

/**
 * Red, green and blue, 0 to 255, of every pixel of an input: three channels or more are colours, fewer are grey; or one
 * channel alone.
 */
export function rgbOf(data: ArrayLike<number>, { height, width, channels = 1 }: Size,
  only?: number): Uint8ClampedArray {
  const [low, high] = domainOf(data);
  const bytes = new Uint8ClampedArray(height * width * 4);
  const level = (pixel: number, c: number) => ((data[pixel * channels + c]! - low) / (high - low)) * 255;
  for (let pixel = 0; pixel < height * width; pixel++) {
    for (let c = 0; c < 3; c++) bytes[pixel * 4 + c] = level(pixel, only ?? (channels >= 3 ? c : 0));
    bytes[pixel * 4 + 3] = 255;
  }
  return bytes;
}

/** The picture that an input's numbers make, to be painted on: the other way of `inputOf`. */
export function pictureOf(data: ArrayLike<number>, size: Size): Float32Array {
  const bytes = rgbOf(data, size);
  return Float32Array.from({ length: size.height * size.width * 3 },
    (_, k) => bytes[Math.floor(k / 3) * 4 + (k % 3)]! / 255);
}
