// SPDX-License-Identifier: Apache-2.0
// Softmax attention of very many words, a tile at a time: what a row is divided by is found once for each band of rows.

/** Rows of a band, and columns of a tile. */
export const ROWS = 64;
export const COLS = 256;

export interface Given {
  q: Float32Array;
  k: Float32Array;
  rows: number;
  keys: number;
  width: number;
  causal: boolean;
}

export type Order = ({ kind: 'open' } & Given) | { kind: 'tile'; band: number; block: number } | { kind: 'row';
row: number };
export interface Tile {
  kind: 'tile';
  band: number;
  block: number;
  data: Float32Array;
}
/** A whole row of weights. */
export interface WholeRow {
  kind: 'row';
  row: number;
  data: Float32Array;
}

/** q_i · k_j / sqrt(p). */
export function scoreAt({ q, k, width }: Given, i: number, j: number): number {
  let sum = 0;
  for (let c = 0; c < width; c++) sum += q[i * width + c]! * k[j * width + c]!;
  return sum / Math.sqrt(width);
}

export class SoftmaxTiles {
  private readonly known = new Map<number, { largest: Float64Array; sum: Float64Array }>();

  constructor(private readonly given: Given) {}

  private score(i: number, j: number): number {
    return scoreAt(this.given, i, j);
  }

  // The largest score of each row and the sum of exponentials below it, in one pass over the keys.
  private rowsOf(band: number): { largest: Float64Array; sum: Float64Array } {
    const before = this.known.get(band);
    if (before) return before;
    const { rows, keys, causal } = this.given;
    const first = band * ROWS;
    const count = Math.min(ROWS, rows - first);
    const [largest, sum] = [new Float64Array(count).fill(-Infinity), new Float64Array(count)];
    for (let r = 0; r < count; r++) {
      const end = causal ? Math.min(keys, first + r + 1) : keys;
      let [top, total] = [-Infinity, 0];
      for (let j = 0; j < end; j++) {
        const score = this.score(first + r, j);
        if (score > top) {
          total = total * Math.exp(top - score) + 1;
          top = score;
        } else total += Math.exp(score - top);
      }
      largest[r] = top;
      sum[r] = total;
    }
    this.known.set(band, { largest, sum });
    return { largest, sum };
  }

  /** [ROWS COLS], fewer rows or columns at the edges; 0 where a later key is hidden. */
  tile(band: number, block: number): Float32Array {
    const { rows, keys, causal } = this.given;
    const { largest, sum } = this.rowsOf(band);
    const [first, from] = [band * ROWS, block * COLS];
    const [count, wide] = [Math.min(ROWS, rows - first), Math.min(COLS, keys - from)];
    const data = new Float32Array(count * wide);
    for (let r = 0; r < count; r++) {
      for (let c = 0; c < wide; c++) {
        if (causal && from + c > first + r) break;
        data[r * wide + c] = Math.exp(this.score(first + r, from + c) - largest[r]!) / sum[r]!;
      }
    }
    return data;
  }

  /** The weights of one row over all keys. */
  row(i: number): Float32Array {
    const { keys, causal } = this.given;
    const end = causal ? Math.min(keys, i + 1) : keys;
    const data = new Float32Array(keys);
    let [largest, sum] = [-Infinity, 0];
    for (let j = 0; j < end; j++) {
      data[j] = this.score(i, j);
      largest = Math.max(largest, data[j]!);
    }
    for (let j = 0; j < end; j++) sum += data[j] = Math.exp(data[j]! - largest);
    for (let j = 0; j < end; j++) data[j] = data[j]! / sum;
    return data;
  }
}
