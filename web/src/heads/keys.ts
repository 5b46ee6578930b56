// SPDX-License-Identifier: Apache-2.0

/** A grid of rows of different lengths: where a key leads from a cell; undefined where it leads nowhere. */
export function moved(rows: readonly number[], at: number, key: string): number | undefined {
  let row = 0;
  let first = 0;
  while (row < rows.length - 1 && at >= first + rows[row]!) first += rows[row++]!;
  const col = at - first;
  const size = rows[row] ?? 0;
  const cell = (to: number): number | undefined => {
    if (to < 0 || to >= rows.length) return undefined;
    const start = rows.slice(0, to).reduce((sum, length) => sum + length, 0);
    return start + Math.min(col, rows[to]! - 1);
  };
  if (key === 'ArrowRight') return col + 1 < size ? at + 1 : undefined;
  if (key === 'ArrowLeft') return col > 0 ? at - 1 : undefined;
  if (key === 'ArrowDown') return cell(row + 1);
  if (key === 'ArrowUp') return cell(row - 1);
  if (key === 'Home') return first;
  if (key === 'End') return first + size - 1;
  return undefined;
}
