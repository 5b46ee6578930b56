// SPDX-License-Identifier: Apache-2.0
// Cells that the mask of one side hides. The difference of both sides has no number there, and says which
// side hides it.
import { Plane } from '../engine/result.ts';
import { words } from './words.ts';

/** Which sides hide a cell, as it is written in the cell. */
type Sides = 'A' | 'B' | 'AB';

export interface Hidden {
  /** Zero where a side hides the cell. */
  mask: Plane;
  says: (row: number, col: number) => string;
  /** The kinds of cells that there are and how many of each, in words. */
  legend: readonly string[];
}

/** Undefined where no cell of these rows and columns is hidden on a side. */
export function hiddenOf({ rows, cols, tensor }: Plane, a: Plane | undefined,
  b: Plane | undefined): Hidden | undefined {
  const says = (row: number, col: number): Sides | '' =>
    `${a?.at(row, col) === 0 ? 'A' : ''}${b?.at(row, col) === 0 ? 'B' : ''}`;
  const counts = new Map<Sides, number>([['A', 0], ['B', 0], ['AB', 0]]);
  const data = new Float32Array(rows * cols).map((_, k) => {
    const sides = says(Math.floor(k / cols), k % cols);
    if (sides !== '') counts.set(sides, counts.get(sides)! + 1);
    return sides === '' ? 1 : 0;
  });
  const found = [...counts].filter(([, count]) => count > 0);
  return found.length === 0 ? undefined : { says,
    mask: new Plane({ ...tensor, role: 'mask', shape: [rows, cols], data }, 0, 1, [0, 0]),
    legend: found.map(([sides, count]) => words().hidden(sides, count)) };
}
