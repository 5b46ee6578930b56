// SPDX-License-Identifier: Apache-2.0
// The one way in which cells are pointed at and kept, with pointer and keyboard.

export type Cell = readonly [row: number, col: number];

/** Rows and columns that somebody points into. */
export interface Grid {
  rows: number;
  cols: number;
}

/** What pointing does there. */
export interface Hands extends Grid {
  /** Where the keyboard is. */
  at: Cell;
  /** The keyboard moves, or the pointer does. */
  point: (cell: Cell) => void;
  /** Keeps a cell, or lets it go if it is kept. */
  hold: (cell: Cell) => void;
  release: () => void;
}

/** How far Page Up and Page Down go. */
const PAGE = 32;

const bounded = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));

/** Where a key leads from a cell; undefined: it leads nowhere. */
export function movedBy(key: string, [row, col]: Cell, { rows, cols }: Grid): Cell | undefined {
  const steps: Record<string, Cell> = {
    ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
    // In a single row, pages are turned along it.
    PageUp: rows === 1 ? [row, col - PAGE] : [row - PAGE, col],
    PageDown: rows === 1 ? [row, col + PAGE] : [row + PAGE, col],
    Home: [row, 0], End: [row, cols - 1],
  };
  const to = steps[key];
  return to && [bounded(to[0], rows), bounded(to[1], cols)];
}

/** Arrows, Home, End and pages move, Enter and Space keep, Escape lets go. False: the key means something else. */
export function keyed(event: KeyboardEvent, hands: Hands): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const to = movedBy(event.key, hands.at, hands);
  if (to) hands.point(to);
  else if (event.key === 'Enter' || event.key === ' ') hands.hold(hands.at);
  else if (event.key === 'Escape') hands.release();
  else return false;
  event.preventDefault();
  return true;
}

/** The cell under the pointer, where the cells fill this box. */
export function cellUnder(event: Pick<MouseEvent, 'clientX' | 'clientY'>,
  box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>, { rows, cols }: Grid): Cell | undefined {
  const col = Math.floor(((event.clientX - box.left) / box.width) * cols);
  const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
  return row >= 0 && col >= 0 && row < rows && col < cols ? [row, col] : undefined;
}
