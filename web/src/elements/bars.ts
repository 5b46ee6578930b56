// SPDX-License-Identifier: Apache-2.0
// One row of numbers as bars that stand on zero.
import { svg } from 'lit';
import type { Theme } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { palette } from '../styles/tokens.ts';
import { cut } from './labels.ts';
import { type Mark, marksOf } from './marks.ts';
import { reach, within } from './axis-range.ts';
import type { Drawing } from './shapes.ts';

/** The room under the bars for their names. */
const UNDER = 16;
/** About the width of a letter there, and the least width of a bar that is named. */
const [LETTER, NAMED] = [6, 28];

export interface BarsLook {
  width: number;
  height: number;
  /** What a bar stands for, and its number as it is read. */
  name: (at: number) => string;
  written: (value: number) => string;
  /** Names under the bars: each where it has room, only the ends and the middle, or none. */
  names?: 'each' | 'ends' | 'none';
}

export function barMarks(row: Plane, look: BarsLook, theme: Theme): Mark[] {
  const { width, height, name, written, names = 'none' } = look;
  const values = Array.from({ length: row.cols }, (_, at) => row.at(0, at));
  const [low, high] = reach(values);
  const tall = height - UNDER;
  const y = (value: number): number => ((high - within(value, low, high)) / (high - low)) * tall;
  const each = width / Math.max(1, values.length);
  const gap = each > 3 ? Math.min(2, each / 4) : 0;
  const paper = palette[theme];
  const text = (at: number, x: number, anchor: 'start' | 'middle' | 'end', letters: number): Mark => ({ kind: 'text', x,
    y: height - 4, text: cut(name(at), letters), size: 11, fill: paper.ink2, at: anchor });
  const last = values.length - 1;
  const bars = values.map((value, at): Mark => ({ kind: 'rect', is: 'bar', x: at * each + gap / 2,
    w: Math.max(0.5, each - gap), y: Math.min(y(0), y(value)), h: Math.abs(y(value) - y(0)), fill: paper.weight,
    title: `${name(at)}: ${written(value)}` }));
  const under = names === 'each' && each >= NAMED
    ? values.map((_, at) => text(at, (at + 0.5) * each, 'middle', each / LETTER))
    : names === 'ends' && values.length > 0 ? [text(0, 0, 'start', width / 3 / LETTER),
      ...(last > 1 ? [text(last / 2, width / 2, 'middle', width / 3 / LETTER)] : []),
      ...(last > 0 ? [text(last, width, 'end', width / 3 / LETTER)] : [])] : [];
  return [...bars, { kind: 'line', is: 'axis', x1: 0, y1: y(0), x2: width, y2: y(0), line: paper.line2 },
    ...(names === 'ends' ? [{ kind: 'line', is: 'axis', x1: width / 2, y1: 0, x2: width / 2, y2: tall,
      line: paper.line2 } as const] : []), ...under];
}

/** Bars on the page; the label is what a screen reader says of them. */
export const bars = (row: Plane, look: BarsLook, label: string): unknown =>
  svg`<svg class="bars" width=${look.width} height=${look.height} role="img" aria-label=${label}>${
    marksOf(barMarks(row, look, 'light'))}</svg>`;

/** Bars as a drawing, for files. */
export const barsDrawing = (row: Plane, look: BarsLook, title: string, theme: Theme): Drawing =>
  ({ title, width: look.width, height: look.height, shapes: barMarks(row, look, theme) });
