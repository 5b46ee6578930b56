// SPDX-License-Identifier: Apache-2.0
// The singular values of a map: the roots of the eigenvalues of its smaller Gram matrix.
import { maximum } from '../lists.ts';
import type { HeadMap } from './measures/measure.ts';

/** Between 1 and the next number of 32 bits, in which maps are computed. */
const PRECISION = 2 ** -23;
// So often a step of the QL algorithm is taken for one eigenvalue; two or three are usual.
const STEPS = 60;

// The symmetric matrix of all products of rows, or of columns where there are fewer of these.
function gramOf({ rows, cols, at }: HeadMap): Float64Array[] {
  const size = Math.min(rows, cols);
  const length = Math.max(rows, cols);
  const lines = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length }, (_cell, k) => (rows <= cols ? at(i, k) : at(k, i))));
  return lines.map((one, i) => Float64Array.from(lines, (other, j) => {
    if (j > i) return 0;
    let sum = 0;
    for (let k = 0; k < length; k++) sum += one[k]! * other[k]!;
    return sum;
  }));
}

// Householder's reflections make the matrix tridiagonal, a row at a time. Only its lower half is read and written.
function tridiagonal(a: Float64Array[]): { main: Float64Array; side: Float64Array } {
  const size = a.length;
  const [main, side, along] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let i = size - 1; i > 0; i--) {
    const row = a[i]!;
    let norm = 0;
    for (let k = 0; k < i - 1; k++) norm += row[k]! ** 2;
    if (norm === 0) {
      side[i] = row[i - 1]!;
      main[i] = row[i]!;
      continue;
    }
    norm = Math.sqrt(norm + row[i - 1]! ** 2);
    const gain = row[i - 1]! >= 0 ? -norm : norm;
    side[i] = gain;
    const half = norm ** 2 - row[i - 1]! * gain;
    row[i - 1]! -= gain;
    let share = 0;
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = 0; k < i; k++) sum += (k <= j ? a[j]![k]! : a[k]![j]!) * row[k]!;
      along[j] = sum / half;
      share += along[j]! * row[j]!;
    }
    for (let j = 0; j < i; j++) along[j]! -= (share / (2 * half)) * row[j]!;
    for (let j = 0; j < i; j++)
      for (let k = 0; k <= j; k++) a[j]![k]! -= row[j]! * along[k]! + along[j]! * row[k]!;
    main[i] = row[i]!;
  }
  main[0] = a[0]?.[0] ?? 0;
  return { main, side };
}

// The QL algorithm with implicit shifts; the eigenvalues take the place of the main diagonal.
function eigenvalues({ main, side }: { main: Float64Array; side: Float64Array }): Float64Array {
  const size = main.length;
  side.copyWithin(0, 1);
  side[size - 1] = 0;
  for (let low = 0; low < size; low++) {
    for (let step = 0; step < STEPS; step++) {
      let end = low;
      while (end < size - 1
        && Math.abs(side[end]!) > Number.EPSILON * (Math.abs(main[end]!) + Math.abs(main[end + 1]!))) end++;
      if (end === low) break;
      const turn = (main[low + 1]! - main[low]!) / (2 * side[low]!);
      let gap = main[end]! - main[low]! + side[low]! / (turn + Math.sign(turn || 1) * Math.hypot(turn, 1));
      let [sine, cosine, shift] = [1, 1, 0];
      let k = end - 1;
      for (; k >= low; k--) {
        const [across, beside] = [sine * side[k]!, cosine * side[k]!];
        const length = Math.hypot(across, gap);
        side[k + 1] = length;
        if (length === 0) {
          main[k + 1]! -= shift;
          side[end] = 0;
          break;
        }
        [sine, cosine] = [across / length, gap / length];
        gap = main[k + 1]! - shift;
        const turned = (main[k]! - gap) * sine + 2 * cosine * beside;
        shift = sine * turned;
        main[k + 1] = gap + shift;
        gap = cosine * turned - beside;
      }
      if (k >= low) continue;
      main[low]! -= shift;
      side[low] = gap;
      side[end] = 0;
    }
  }
  return main;
}

/** All singular values of a map, the largest first. */
export function singularValues(map: HeadMap): number[] {
  return [...eigenvalues(tridiagonal(gramOf(map)))].map((one) => Math.sqrt(Math.max(0, one))).toSorted((a, b) => b - a);
}

export interface Rank {
  rank: number;
  /** The largest rank that a map of this size can have. */
  full: number;
  /** So many times the largest singular value is the bound: what is smaller counts as 0. */
  bound: number;
  /** So many of the largest singular values have `SHARE` of the sum of all squares. */
  most: number;
}

/** Of the sum of the squares of all singular values. */
export const SHARE = 0.9;

/** How many singular values of a map are not 0, up to the rounding of 32-bit numbers, as NumPy counts them. */
export function rankOf(map: HeadMap): Rank {
  const values = singularValues(map);
  const bound = Math.max(map.rows, map.cols) * PRECISION;
  const least = bound * maximum(values, 0);
  const squares = values.map((one) => one ** 2);
  const wanted = SHARE * squares.reduce((sum, one) => sum + one, 0);
  let [sum, most] = [0, 0];
  while (most < squares.length && sum < wanted) sum += squares[most++]!;
  return { rank: values.filter((one) => one > least).length, full: Math.min(map.rows, map.cols), bound, most };
}
