// SPDX-License-Identifier: Apache-2.0
// How far two maps of one shape are apart: the largest difference, the mean, and row by row; and their contexts.
import type { Gap } from '../compare/measure.ts';
import type { Plane } from '../engine/result.ts';
import { numbersOf } from './softmax.ts';

export interface Apart {
  /** B − A. */
  difference: Float32Array;
  /** Of the size of the differences. */
  largest: Gap;
  mean: number;
  /** Of each row half the sum of its differences: the share that lies elsewhere, where both rows sum to 1. */
  rows: Float64Array;
  meanRow: number;
  worstRow: number;
  /** Whether each row of B sums to 1, or to 0 where that of A does: then what it does not give here, it gives there. */
  shares: boolean;
  /** Nothing but the rounding of single precision. */
  equal: boolean;
}

// Sums of some hundred terms in single precision differ by no more from those in double.
export const ROUNDING = 2 ** -20;
const ONE = 1e-3;

export function apartOf(a: Float32Array, b: Float32Array, rows: number, cols: number): Apart {
  const difference = new Float32Array(rows * cols);
  const each = new Float64Array(rows);
  const largest: Gap = { value: 0, row: 0, col: 0 };
  let [total, worst, most, shares] = [0, 0, 0, true];
  for (let i = 0; i < rows; i++) {
    let [sum, plain, gaps] = [0, 0, 0];
    for (let j = 0; j < cols; j++) {
      const at = i * cols + j;
      const gap = b[at]! - a[at]!;
      difference[at] = gap;
      sum += b[at]!;
      plain += a[at]!;
      gaps += Math.abs(gap);
      most = Math.max(most, Math.abs(b[at]!), Math.abs(a[at]!));
      if (Math.abs(gap) > largest.value) Object.assign(largest, { value: Math.abs(gap), row: i, col: j });
    }
    each[i] = gaps / 2;
    total += gaps;
    if (each[i]! > each[worst]!) worst = i;
    shares &&= Math.abs(sum - plain) < ONE;
  }
  const equal = largest.value <= ROUNDING * Math.max(1, most);
  return { difference, largest, mean: total / Math.max(1, rows * cols), rows: each,
    meanRow: total / 2 / Math.max(1, rows), worstRow: worst, shares, equal };
}

/** How far the contexts of two maps are apart: each map times the same values. */
export interface Contexts {
  /** The largest difference, and its row. */
  largest: number;
  row: number;
  /** Of the size of the differences, and of the numbers of A. */
  mean: number;
  size: number;
}

/** `difference`: B − A, of which the contexts' difference is a product, since the context is linear in the map. */
export function contextsApart(a: Float32Array, { difference }: Pick<Apart, 'difference'>, rows: number, cols: number,
  value: Plane): Contexts {
  const found: Contexts = { largest: 0, row: 0, mean: 0, size: 0 };
  const [values, width] = [numbersOf(value), value.cols];
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < width; c++) {
      let [gap, own] = [0, 0];
      for (let j = 0; j < cols; j++) {
        const at = values[j * width + c]!;
        gap += difference[i * cols + j]! * at;
        own += a[i * cols + j]! * at;
      }
      if (Math.abs(gap) > found.largest) Object.assign(found, { largest: Math.abs(gap), row: i });
      found.mean += Math.abs(gap) / (rows * width);
      found.size += Math.abs(own) / (rows * width);
    }
  }
  return found;
}
