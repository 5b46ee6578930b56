// SPDX-License-Identifier: Apache-2.0
// What a form is held against: softmax attention on the very same queries and keys, in plain loops and in double.
import type { Plane } from '../engine/result.ts';

/** The numbers of a plane, row by row. */
export function numbersOf(plane: Plane): Float64Array {
  const { rows, cols } = plane;
  const found = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) for (let c = 0; c < cols; c++) found[i * cols + c] = plane.at(i, c);
  return found;
}

/** q_i · k_j / sqrt(p). */
export function scoreOf(query: Plane, key: Plane, i: number, j: number): number {
  let sum = 0;
  for (let c = 0; c < query.cols; c++) sum += query.at(i, c) * key.at(j, c);
  return sum / Math.sqrt(query.cols);
}

/** softmax(Q Kᵀ / sqrt(p)) [rows keys]; keys that a mask hides get nothing, and a row that sees none is zero. */
export function softmaxMap(query: Plane, key: Plane, mask?: Plane): Float32Array {
  const [q, k, width] = [numbersOf(query), numbersOf(key), query.cols];
  const [m, n] = [query.rows, key.rows];
  const map = new Float32Array(m * n);
  const row = new Float64Array(n);
  const root = Math.sqrt(width);
  for (let i = 0; i < m; i++) {
    let largest = -Infinity;
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += q[i * width + c]! * k[j * width + c]!;
      row[j] = mask && mask.at(mask.rows === 1 ? 0 : i, j) === 0 ? -Infinity : sum / root;
      largest = Math.max(largest, row[j]!);
    }
    if (largest === -Infinity) continue;
    let total = 0;
    for (let j = 0; j < n; j++) total += row[j] = Math.exp(row[j]! - largest);
    for (let j = 0; j < n; j++) map[i * n + j] = row[j]! / total;
  }
  return map;
}
