// SPDX-License-Identifier: Apache-2.0
import type { Plane } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';

const REACH = 3;

export interface Window {
  rows: number[];
  cols: number[];
  /** The cell in the middle, where it does not lie at an edge. */
  cell: [number, number];
}

/** As many places around this one as fit. */
export function around(at: number, count: number): number[] {
  const size = Math.min(2 * REACH + 1, count);
  const first = Math.min(Math.max(0, at - REACH), count - size);
  return Array.from({ length: size }, (_, k) => first + k);
}

/** What the lens shows of a plane: the cells around the one that is pointed at, or else locked. */
export function windowOf({ hover, lock }: { hover: Target | undefined; lock: Target | undefined },
  plane: Plane): Window | undefined {
  const { tensor, rows, cols } = plane;
  const own = [hover, lock].find((one) => one?.tensor === tensor.name && one.group === tensor.group);
  const cell = own && plane.cell(own.index);
  return cell && { rows: around(cell[0], rows), cols: around(cell[1], cols), cell };
}
