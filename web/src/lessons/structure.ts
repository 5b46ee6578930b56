// SPDX-License-Identifier: Apache-2.0
// What lessons say about the computation as a whole, computed here from the numbers shown, by another way than the
// engine's.
import { maximum } from '../lists.ts';
import type { Result, Tensor } from '../engine/result.ts';

type Matrix = number[][];

/** The last two axes of a tensor, for one index of the axes before them. */
function matrixOf(tensor: Tensor | undefined, at = 0): Matrix {
  if (!tensor) return [];
  const [height, width] = [tensor.shape.at(-2) ?? 1, tensor.shape.at(-1) ?? 1];
  return Array.from({ length: height },
    (_, i) => [...tensor.data.subarray((at * height + i) * width, (at * height + i + 1) * width)]);
}

const transposed = (a: Matrix): Matrix => (a[0] ?? []).map((_, j) => a.map((row) => row[j]!));
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => (b[0] ?? []).map((_, j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));

function gap(a: Matrix, b: Matrix): number {
  if (a.length === 0 || a.length !== b.length || a[0]!.length !== b[0]!.length) return Number.NaN;
  return maximum(a.flatMap((row, i) => row.map((x, j) => Math.abs(x - b[i]![j]!))));
}

/** How many modules one upon another it takes until every token has heard of all that it can ever hear of. */
export function path(weights: Tensor | undefined): number {
  const sees = matrixOf(weights).map((row) => row.flatMap((w, j) => (w > 0 ? [j] : [])));
  let longest = sees.length === 0 ? Number.NaN : 0;
  for (const start of sees.keys()) {
    const steps = new Map([[start, 0]]);
    // A map hands out what is added while it is walked.
    for (const [at, far] of steps) for (const next of sees[at] ?? []) if (!steps.has(next)) steps.set(next, far + 1);
    longest = maximum(steps.values(), longest);
  }
  return longest;
}

/** The column form: a softmax over each column of Eᵀ, then Vᵀ times it. How far its transpose lies from the context. */
export function columnForm(result: Result): number {
  const scores = transposed(matrixOf(result.find('scores', 'outputs')));
  const columns = transposed(scores).map((column) => {
    const top = maximum(column);
    const powers = column.map((e) => Math.exp(e - top));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((p) => p / sum);
  });
  const context = product(transposed(matrixOf(result.find('value', 'outputs'))), transposed(columns));
  return gap(transposed(context), matrixOf(result.find('context', 'outputs')));
}

// The part of each row of weights that lies in the space of the values' columns (Gram and Schmidt).
function effective(result: Result): { weights: Matrix; seen: Matrix; value: Matrix } {
  const [weights, value] = [matrixOf(result.find('weights', 'outputs')), matrixOf(result.find('value', 'outputs'))];
  const basis: Matrix = [];
  for (const column of transposed(value)) {
    const rest = [...column];
    // Twice, since once loses digits.
    for (let round = 0; round < 2; round++) {
      for (const unit of basis) {
        const along = rest.reduce((sum, x, k) => sum + x * unit[k]!, 0);
        unit.forEach((u, k) => (rest[k]! -= along * u));
      }
    }
    const length = Math.hypot(...rest);
    if (length > 1e-4 * Math.hypot(...column)) basis.push(rest.map((x) => x / length));
  }
  return { weights, value, seen: product(product(weights, transposed(basis)), basis) };
}

/** The largest part of a weight that the values do not see. */
export function unseen(result: Result): number {
  const { weights, seen } = effective(result);
  return gap(weights, seen);
}

/** How much the context changes when that part is left out. */
export function withoutUnseen(result: Result): number {
  const { weights, seen, value } = effective(result);
  return gap(product(seen, value), product(weights, value));
}

/**
 * How far heads that look one place to the left, at the place and to the right are from a convolution, away from the
 * edges.
 */
export function convolution(result: Result): number {
  const [values, joined, context] =
    [result.find('value', 'outputs'), result.find('heads.W_O', 'parameters'),
    matrixOf(result.find('context', 'outputs'))];
  const heads = values?.shape[0] ?? 0;
  if (!values || !joined || heads % 2 === 0) return Number.NaN;
  const reach = (heads - 1) / 2;
  const each = Array.from({ length: heads }, (_, h) => matrixOf(values, h));
  const kernel = matrixOf(joined);
  const inside = context.slice(reach, context.length - reach);
  const wanted = inside.map((_, i) => product([each.flatMap((value, h) => value[i + h]!)], kernel)[0]!);
  return gap(inside, wanted);
}

const KERNEL = 3;

/** Multiplications of one layer over the tensor's rows and width, by formula. */
export function cost(tensor: Tensor | undefined, of: 'pairs' | 'recurrent' | 'convolution'): number {
  if (!tensor) return Number.NaN;
  const [n, d] = [tensor.shape.at(-2) ?? 1, tensor.shape.at(-1) ?? 1];
  return { pairs: n * n * d, recurrent: n * d * d, convolution: KERNEL * n * d * d }[of];
}
