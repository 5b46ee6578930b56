// SPDX-License-Identifier: Apache-2.0
// Pictures are resized as Pillow does it, with which the preprocessors of models resize: along the rows, then along the
// columns, each pixel a weighted mean of those that it covers, in whole levels from 0 to 255. Weights are rounded to 22
// bits behind the point, as Pillow does it: where a mean lies in the middle of two levels, the same one is taken.
import { maximum } from '../lists.ts';
import type { Box } from '../elements/shapes.ts';

interface Filter {
  reach: number;
  at(x: number): number;
}

const LANCZOS = 3;
const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const bilinear: Filter = { reach: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) };
const FILTERS: Readonly<Record<number, Filter>> = {
  1: { reach: LANCZOS, at: (x) => (Math.abs(x) < LANCZOS ? sinc(x) * sinc(x / LANCZOS) : 0) },
  2: bilinear,
  // Pillow's cubic has the parameter -1/2.
  3: { reach: 2, at: (x) => {
    const d = Math.abs(x);
    if (d < 1) return (1.5 * d - 2.5) * d * d + 1;
    return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
  } },
};

interface Taps {
  first: number;
  weights: number[];
}

const ONE = 1 << 22;
const level = (sum: number): number => Math.floor((sum + ONE / 2) / ONE);

// Which pixels along one axis make each pixel from `start` on, and how much each counts.
function tapsOf(from: number, to: number, start: number, count: number, { reach, at }: Filter): Taps[] {
  const scale = from / to;
  const wide = Math.max(1, scale);
  return Array.from({ length: count }, (_, k) => {
    const centre = (start + k + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - reach * wide + 0.5));
    const end = Math.min(from, Math.trunc(centre + reach * wide + 0.5));
    const weights = Array.from({ length: end - first }, (_, i) => at((first + i - centre + 0.5) / wide));
    const sum = weights.reduce((a, b) => a + b, 0);
    return { first, weights: weights.map((weight) => {
      const share = (weight / sum) * ONE;
      return Math.trunc(share + (share < 0 ? -0.5 : 0.5));
    }) };
  });
}

// So many multiplications are done in one go: the page answers in between.
const MOST_WORK = 4_000_000;

/** Red, green and blue, from 0 to 255, of a window of the resized picture; `bytes` has four a pixel. */
export async function resample(bytes: ArrayLike<number>, from: { w: number; h: number }, to: { w: number; h: number },
  window: Box, filter = 2): Promise<Uint8ClampedArray> {
  const kind = FILTERS[filter] ?? bilinear;
  const across = tapsOf(from.w, to.w, window.x, window.w, kind);
  const down = tapsOf(from.h, to.h, window.y, window.h, kind);
  const top = down[0]!.first;
  const rows = maximum(down.map(({ first, weights }) => first + weights.length)) - top;
  const narrow = new Uint8ClampedArray(rows * window.w * 3);
  let work = 0;
  for (let row = 0; row < rows; row++) {
    across.forEach(({ first, weights }, col) => {
      let [red, green, blue] = [0, 0, 0];
      let at = ((top + row) * from.w + first) * 4;
      for (const weight of weights) {
        red += weight * bytes[at]!;
        green += weight * bytes[at + 1]!;
        blue += weight * bytes[at + 2]!;
        at += 4;
      }
      narrow.set([level(red), level(green), level(blue)], (row * window.w + col) * 3);
      work += 3 * weights.length;
    });
    if (work < MOST_WORK) continue;
    work = 0;
    await new Promise((resume) => setTimeout(resume));
  }
  const small = new Uint8ClampedArray(window.h * window.w * 3);
  down.forEach(({ first, weights }, row) => {
    for (let at = 0; at < window.w * 3; at++) {
      let sum = 0;
      weights.forEach((weight, k) => (sum += weight * narrow[(first - top + k) * window.w * 3 + at]!));
      small[row * window.w * 3 + at] = level(sum);
    }
  });
  return small;
}
