// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';

/** What has to have room: so many cells, and words so long, in multiples of the size of their type. */
export interface Needs {
  width: number;
  height: number;
  rows: number;
  columns: number;
  rowWords: number;
  columnWords: number;
  written: number;
}

/** Where everything is, in CSS pixels from the corner of the room. */
export interface Fit {
  /** The size of the type of the words. */
  type: number;
  /** Columns' words lean where they are wider than their columns. */
  slanted: boolean;
  /** Of words that have no room side by side, every so many is named. */
  everyRow: number;
  everyColumn: number;
  /** The first cell's corner, and the room of a cell. */
  x: number;
  y: number;
  cell: { w: number; h: number };
  /** How far words may run before they are cut off: beside rows, above columns, and what was written. */
  left: number;
  top: number;
  right: number;
  /** The size of the type of the numbers in the cells; 0 where they have no room. */
  numbers: number;
}

/** Readable from the last row of a lecture hall: words are this large wherever there is room for it. */
export const READABLE = 24;
const [LARGEST, SMALLEST] = [44, 9];
/** Cells are wider than high, but not by more than this, and the other way. */
const [WIDE, HIGH] = [1.7, 1.2];
const MOST = 150;
const LINE = 1.2;
/** At an angle of 45 degrees a word takes this share of its length both ways. */
const LEAN = Math.SQRT1_2;

function tried(needs: Needs, type: number): Fit {
  const { width, height, rows, columns } = needs;
  const gap = type * 0.5;
  const left = Math.min(width * 0.3, needs.rowWords * type) + gap;
  const beside = needs.written > 0 ? Math.min(width * 0.25, needs.written * type) + gap : 0;
  const cellFor = (top: number, right: number) => {
    const [w, h] = [(width - left - right) / columns, (height - top) / rows];
    return { w: Math.max(1, Math.min(w, h * WIDE, MOST * WIDE)), h: Math.max(1, Math.min(h, w * HIGH, MOST)) };
  };
  const straight = type * LINE + gap;
  const flat = cellFor(straight, beside);
  const slanted = needs.columnWords * type > flat.w - gap / 2;
  const lean = Math.min(height * 0.34, needs.columnWords * type * LEAN);
  const top = slanted ? lean + type * LEAN + gap / 2 : straight;
  // The last column's word leans beyond the last cell.
  const right = slanted ? Math.max(beside, lean + gap / 2) : beside;
  const cell = slanted ? cellFor(top, right) : flat;
  const [x, y] = [Math.max(0, (width - left - columns * cell.w - right) / 2) + left, top];
  const numbers = Math.min(cell.h * 0.42, cell.w * 0.34, 34);
  return { type, slanted, x, y, cell, left, top, right, numbers: numbers < SMALLEST ? 0 : numbers,
    everyRow: Math.max(1, Math.ceil((type * 1.05) / cell.h)),
    everyColumn: Math.max(1, Math.ceil((slanted ? type * LINE : needs.columnWords * type) / cell.w)) };
}

/** The largest type that fits, at most half as high as a row; below what is readable, whatever still fits. */
export function fit(needs: Needs): Fit {
  const sizes = Array.from({ length: (LARGEST - SMALLEST) / 0.5 + 1 }, (_, k) => LARGEST - k * 0.5);
  const all = sizes.map((type) => tried(needs, type));
  // On a phone words may not take more room than the cells.
  const shares = ({ left, right }: Fit) => left + right <= needs.width / 2;
  const named = all.filter(({ everyRow, everyColumn }) => everyRow === 1 && everyColumn === 1);
  const roomy = all.find((one) =>
    one.type >= READABLE && one.everyColumn === 1 && one.type <= one.cell.h * 0.5 && shares(one));
  return roomy ?? named.find(shares) ?? named[0] ?? all.at(-1)!;
}

/** How long the longest of these is, in multiples of the size of its type. */
export const longest = (words: readonly string[], measure: (word: string) => number): number =>
  maximum(words.map(measure), 0);
