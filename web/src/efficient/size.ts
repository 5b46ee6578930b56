// SPDX-License-Identifier: Apache-2.0
// How far two maps of one shape are apart: the largest difference, the mean, and row by row.
import type { Gap } from '../compare/measure.ts';

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
