// SPDX-License-Identifier: Apache-2.0

/** The whole matrix as large as there is room, or cells that hold their numbers. */
export type Zoom = 'fit' | 'numbers';

/** The room that what rows say takes beside a matrix of weights. */
export const FACTS = 196;

// A name has room beside a row of 14, and above a column of 11, where it is slanted.
const SMALLEST = { w: 11, h: 14 };
// Of very many columns not even the labels can be read: they are named where they are pointed at.
const TINY = 7;
const MANY = 64;
const LARGEST = { w: 44, h: 26 };
const NUMBER = { w: 38, h: 22 };

/** How large a cell is drawn, and whether its number has room in it. */
export function cellOf({ rows, cols, room, zoom }: { rows: number; cols: number; room: number; zoom: Zoom }): {
  w: number; h: number; written: boolean } {
  const least = Math.max(rows, cols) > MANY ? { w: TINY, h: TINY } : SMALLEST;
  const fitting = Math.min(LARGEST.w, Math.max(least.w, Math.floor(room / cols)));
  const w = zoom === 'numbers' ? Math.max(NUMBER.w, fitting) : fitting;
  const h = zoom === 'numbers' ? NUMBER.h : Math.min(LARGEST.h, Math.max(least.h, w));
  return { w, h, written: w >= 22 && h >= 14 };
}
