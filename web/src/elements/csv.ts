// SPDX-License-Identifier: Apache-2.0
import type { Plane } from '../engine/result.ts';
import { csvText } from '../files/csv.ts';

/** A plane as a table for spreadsheets, with its names around it; a cell that begins like a formula stays text. */
export function planeCsv(plane: Plane, down: (row: number) => string, across: (col: number) => string): string {
  const cols = Array.from({ length: plane.cols }, (_, col) => col);
  return csvText([['', ...cols.map(across)], ...Array.from({ length: plane.rows }, (_, row) =>
    [down(row), ...cols.map((col) => plane.at(row, col))])]);
}
