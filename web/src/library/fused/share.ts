// SPDX-License-Identifier: Apache-2.0
// How one call is cut into calls for several workers.
import { offsetOf, reach, stridesOf, UNBOUNDED, type Shape } from './shape.ts';
import type { AttentionInput } from './types.ts';

/** Heads first .. last of the queries from row .. to end. Where there is more than one head, all their rows. */
export interface Piece {
  firstHead: number;
  lastHead: number;
  firstRow: number;
  lastRow: number;
}

export const rowsOf = ({ firstHead, lastHead, firstRow, lastRow }: Piece): number =>
  (lastHead - firstHead) * (lastRow - firstRow);

/** How many keys query i attends. */
function keysOf(i: number, n: number, before: number, after: number, offset: number): number {
  const at = i + offset;
  const first = before === UNBOUNDED ? 0 : Math.max(0, at - before);
  const last = after === UNBOUNDED ? n : Math.min(n, at + after + 1);
  return Math.max(0, last - first);
}

// The rows of all heads as one line, cut where the work so far passes each share's part.
function cuts(heads: number, costs: Float64Array, shares: number): number[] {
  const m = costs.length;
  const sums = new Float64Array(m + 1);
  costs.forEach((cost, i) => { sums[i + 1] = sums[i]! + cost; });
  const ends = [0];
  for (let s = 1; s < shares; s++) {
    const wanted = (s / shares) * heads * sums[m]!;
    const head = Math.min(heads - 1, Math.floor(wanted / sums[m]!));
    let row = 0;
    while (row < m && head * sums[m]! + sums[row]! < wanted) row++;
    ends.push(Math.max(ends.at(-1)!, head * m + row));
  }
  return [...ends, heads * m];
}

/** For every share its pieces, with about the same work in each share. */
export function pieces(input: AttentionInput, { heads, m, n }: Shape, shares: number): Piece[][] {
  const [before, after] = reach(input);
  const offset = offsetOf(input);
  // A query costs something even where it attends nothing.
  const ends = cuts(heads, Float64Array.from({ length: m }, (_, i) => 1 + keysOf(i, n, before, after, offset)), shares);
  return Array.from({ length: shares }, (_, s) => {
    const list: Piece[] = [];
    for (let at = ends[s]!; at < ends[s + 1]!;) {
      const head = Math.floor(at / m);
      const row = at - head * m;
      const whole = Math.floor((ends[s + 1]! - at) / m);
      if (row === 0 && whole > 0) {
        list.push({ firstHead: head, lastHead: head + whole, firstRow: 0, lastRow: m });
        at += whole * m;
      } else {
        const end = Math.min(m, ends[s + 1]! - head * m);
        list.push({ firstHead: head, lastHead: head + 1, firstRow: row, lastRow: end });
        at += end - row;
      }
    }
    return list;
  });
}

/** The piece as a call of its own, over views of the same numbers. */
export function callOf<T extends AttentionInput & { upstream?: Float32Array }>(input: T, { heads, m, n, d, dv }: Shape,
  piece: Piece): T {
  const { firstHead, lastHead, firstRow, lastRow } = piece;
  const count = lastRow - firstRow;
  const rows = (array: Float32Array, width: number) =>
    array.subarray((firstHead * m + firstRow) * width, ((lastHead - 1) * m + lastRow) * width);
  const columns = (array: Float32Array, width: number) => array.subarray(firstHead * n * width, lastHead * n * width);
  const map = (field: 'bias' | 'mask') => {
    const array = input[field];
    if (array === undefined) return undefined;
    const [row, head] = stridesOf(field, array, { heads, m, n });
    if (row === 0) return array;
    return head === 0 ? array.subarray(firstRow * n, lastRow * n) : rows(array, n);
  };
  return {
    q: rows(input.q, d), k: columns(input.k, d), v: columns(input.v, dv), heads: lastHead - firstHead, m: count, n, d,
    dv,
    scale: input.scale, causal: input.causal, window: input.window, offset: offsetOf(input) + firstRow,
    bias: map('bias'),
    mask: map('mask'),
    ...(input.upstream ? { upstream: rows(input.upstream, dv) } : {}),
    ...(input.out ? { out: rows(input.out, dv) } : {}),
  } as T;
}
