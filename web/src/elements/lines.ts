// SPDX-License-Identifier: Apache-2.0
// Rows of numbers as lines on one scale, which holds zero.
import { svg } from 'lit';
import type { Theme } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { palette } from '../styles/tokens.ts';
import { type Mark, marksOf } from './marks.ts';
import { reach, within } from './axis-range.ts';
import type { Drawing } from './shapes.ts';

export interface LinesLook {
  width: number;
  height: number;
  /** What a line stands for. */
  name: (row: number) => string;
}

const WIDE = 1.5;

// A line ends where there is no number, and goes on behind it.
function pieces(values: readonly number[]): { from: number; values: number[] }[] {
  const found: { from: number; values: number[] }[] = [];
  values.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    if (at === 0 || Number.isNaN(values[at - 1]!)) found.push({ from: at, values: [] });
    found.at(-1)!.values.push(value);
  });
  return found;
}

export function lineMarks(plane: Plane, { width, height, name }: LinesLook, theme: Theme): Mark[] {
  const rows = Array.from({ length: plane.rows }, (_, row) =>
    Array.from({ length: plane.cols }, (__, col) => plane.at(row, col)));
  const [low, high] = reach(rows.flat());
  const x = (at: number): number => (plane.cols === 1 ? width / 2 : (at / (plane.cols - 1)) * width);
  const y = (value: number): number => ((high - within(value, low, high)) / (high - low)) * height;
  const paper = palette[theme];
  return [{ kind: 'line', is: 'axis', x1: 0, y1: y(0), x2: width, y2: y(0), line: paper.line2 },
    ...rows.flatMap((values, row) => pieces(values).map((piece): Mark => ({ kind: 'path', is: 'line',
      points: piece.values.map((value, k) => [x(piece.from + k), y(value)] as const), line: paper.ink, wide: WIDE,
      title: name(row) })))];
}

/** Lines on the page; the label is what a screen reader says of them. */
export const lines = (plane: Plane, look: LinesLook, label: string): unknown =>
  svg`<svg class="lines" width=${look.width} height=${look.height} role="img" aria-label=${label}>${
    marksOf(lineMarks(plane, look, 'light'))}</svg>`;

/** Lines as a drawing, for files. */
export const linesDrawing = (plane: Plane, look: LinesLook, title: string, theme: Theme): Drawing =>
  ({ title, width: look.width, height: look.height, shapes: lineMarks(plane, look, theme) });
