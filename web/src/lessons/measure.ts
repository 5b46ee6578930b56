// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { plane, type Result, type Tensor } from '../engine/result.ts';
import { columnForm, convolution, cost, path, unseen, withoutUnseen } from './structure.ts';
import type { Measure } from './types.ts';

const tokensOf = (result: Result, axis: string | undefined) => (axis ? result.labels(axis) : undefined);

function named(result: Result, { of, group }: Measure): Tensor | undefined {
  return result.find(of, group ?? 'outputs') ?? result.find(of, group);
}

// The rows of the last two axes, for every index of the axes before them.
function rowsOf(tensor: Tensor, { head, rows, cols }: Pick<Measure, 'head' | 'rows' | 'cols'>): Float32Array[] {
  const width = tensor.shape.at(-1) ?? 1;
  const height = tensor.shape.at(-2) ?? 1;
  const found: Float32Array[] = [];
  for (let at = 0; at < tensor.data.length / width; at++) {
    const row = at % height;
    if (head !== undefined && Math.floor(at / height) !== head) continue;
    if (!rows || (row >= rows[0] && row < rows[1]))
      found.push(tensor.data.subarray(at * width + (cols?.[0] ?? 0), at * width + (cols?.[1] ?? width)));
  }
  return found;
}

// What a mask forbids is no number of the picture.
function allowed(result: Result): ((row: number, col: number) => boolean) | undefined {
  const mask = result.find('mask', 'outputs');
  if (!mask) return undefined;
  const shown = plane(mask, {});
  return (row, col) => shown.at(shown.rows === 1 ? 0 : row, col) !== 0;
}

function entropy(rows: Float32Array[]): number {
  const each = rows.map((row) => row.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0));
  return each.reduce((a, b) => a + b, 0) / Math.max(1, each.length);
}

const seen = (row: Float32Array): number => row.reduce((n, weight) => (weight > 0 ? n + 1 : n), 0);

// Where each token of the one stands in the other; undefined when they are not the same tokens.
function places(now: string[], then: string[]): number[] | undefined {
  const free = then.map((token, k) => ({ token, k }));
  const found: number[] = [];
  for (const token of now) {
    const at = free.findIndex((f) => f.token === token);
    if (at < 0) return undefined;
    found.push(free.splice(at, 1)[0]!.k);
  }
  return free.length === 0 ? found : undefined;
}

// The largest difference after each row (and column of tokens) has gone along with its token.
function moved(now: Tensor, then: Tensor, result: Result, before: Result): number {
  if (now.data.length !== then.data.length) return Number.NaN;
  const [height, width] = [now.shape.at(-2) ?? 1, now.shape.at(-1) ?? 1];
  const order = (axis: string | undefined, size: number) => {
    const [a, b] = [tokensOf(result, axis), tokensOf(before, axis)];
    return a && b && a.length === size ? places(a, b) : Array.from({ length: size }, (_, k) => k);
  };
  const [rows, cols] = [order(now.places.at(-2), height), order(now.places.at(-1), width)];
  if (!rows || !cols) return Number.NaN;
  let worst = 0;
  for (let k = 0; k < now.data.length; k++) {
    const col = k % width;
    const row = Math.floor(k / width) % height;
    const start = Math.floor(k / (width * height)) * width * height;
    worst = Math.max(worst, Math.abs(now.data[k]! - then.data[start + rows[row]! * width + cols[col]!]!));
  }
  return worst;
}

function change(now: Tensor, then: Tensor, asked: Measure): number {
  const [a, b] = [rowsOf(now, asked), rowsOf(then, asked)];
  let worst = a.length === b.length ? 0 : Number.NaN;
  a.forEach((row, i) => row.forEach((value, j) =>
    (worst = Math.max(worst, Math.abs(value - (b[i]?.[j] ?? Number.NaN))))));
  return worst;
}

// How far a context reaches beyond the smallest and largest value of its column.
function beyond(context: Tensor, value: Tensor | undefined): number {
  if (!value) return Number.NaN;
  const width = context.shape.at(-1) ?? 1;
  const [low, high] = [Array(width).fill(Infinity), Array(width).fill(-Infinity)] as [number[], number[]];
  value.data.forEach((v, k) => {
    const col = k % width;
    low[col] = Math.min(low[col]!, v);
    high[col] = Math.max(high[col]!, v);
  });
  let worst = 0;
  context.data.forEach((v, k) => (worst = Math.max(worst, v - high[k % width]!, low[k % width]! - v)));
  return worst;
}

// Where the tokens are by which a measure names its row and column; undefined where one of them is not there.
function placed(asked: Measure, tensor: Tensor, result: Result): Measure | undefined {
  const { row, col, ...rest } = asked;
  const at = (token: string, axis: -2 | -1): number => tokensOf(result, tensor.places.at(axis))?.indexOf(token) ?? -1;
  const [i, j] = [row === undefined ? undefined : at(row, -2), col === undefined ? undefined : at(col, -1)];
  if (i === -1 || j === -1) return undefined;
  return { ...rest, ...(i === undefined ? {} : { rows: [i, i + 1] }),
    ...(j === undefined ? {} : { cols: [j, j + 1] }) };
}

/** What a measure speaks of that is not in a result: its tensor, or a token; undefined where all is there. */
export function lackOf(asked: Measure, result: Result): string | undefined {
  if (asked.of === '*') return undefined;
  const tensor = named(result, asked);
  if (!tensor) return asked.of;
  if (placed(asked, tensor, result)) return undefined;
  const known = (axis: -2 | -1) => tokensOf(result, tensor.places.at(axis)) ?? [];
  return asked.row !== undefined && !known(-2).includes(asked.row) ? asked.row : asked.col;
}

/** The number that a lesson speaks of, from what is shown; NaN where it cannot be had. */
export function measure(meant: Measure, now: Result, then: Result): number {
  const result = meant.then ? then : now;
  if (meant.of === '*') return result.all(meant.group ?? 'steps').reduce((n, t) => n + t.data.length, 0);
  const tensor = named(result, meant);
  const asked = tensor && placed(meant, tensor, result);
  if (!tensor || !asked) return Number.NaN;
  const before = named(then, asked);
  const rows = rowsOf(tensor, asked);
  const values = rows.flatMap((row) => [...row]);
  const sum = values.reduce((a, b) => a + b, 0);
  switch (asked.what) {
    case 'max': return maximum(values);
    case 'size': return values.reduce((a, v) => Math.max(a, Math.abs(v)), 0);
    case 'min': return minimum(values);
    case 'sum': return sum;
    case 'mean': return sum / values.length;
    case 'count': return values.length;
    case 'negatives': return values.filter((v) => v < 0).length;
    case 'positives': return values.filter((v) => v > 0).length;
    case 'spread': return Math.sqrt(values.reduce((a, v) => a + (v - sum / values.length) ** 2, 0) / values.length);
    case 'entropy': return entropy(rows);
    case 'zeros': {
      const visible = allowed(result);
      const height = tensor.shape.at(-2) ?? 1;
      return rows.reduce((n, row, i) =>
        n + row.reduce((k, v, j) => (v === 0 && (visible?.(i % height, j) ?? true) ? k + 1 : k), 0), 0);
    }
    case 'diagonal': return rows.reduce((n, row, i) => n + (row[i % (tensor.shape.at(-2) ?? 1)] ?? 0), 0) / rows.length;
    case 'asymmetry': {
      let worst = tensor.shape.at(-1) === tensor.shape.at(-2) ? 0 : Number.NaN;
      rows.forEach((row, i) => row.forEach((v, j) =>
        (worst = Math.max(worst, Math.abs(v - (rows[j]?.[i % row.length] ?? v))))));
      return worst;
    }
    case 'columns': {
      const sums = Array.from({ length: rows[0]?.length ?? 0 }, (_, j) => rows.reduce((n, row) => n + row[j]!, 0));
      return maximum(sums.map((n) => Math.abs(n - 1)));
    }
    case 'change': return before ? change(tensor, before, asked) : Number.NaN;
    case 'moved': return before ? moved(tensor, before, result, then) : Number.NaN;
    case 'fewest': return minimum(rows.map(seen));
    case 'keys': return rows[0]?.length ?? Number.NaN;
    case 'path': return path(tensor);
    case 'columnForm': return columnForm(result);
    case 'unseen': return unseen(result);
    case 'withoutUnseen': return withoutUnseen(result);
    case 'convolution': return convolution(result);
    case 'costAttention': return cost(tensor, 'pairs');
    case 'costRecurrent': return cost(tensor, 'recurrent');
    case 'costConvolution': return cost(tensor, 'convolution');
    case 'hull': return beyond(tensor, result.find('value', 'outputs') ?? result.find('value', 'inputs'));
  }
}
