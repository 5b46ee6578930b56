// SPDX-License-Identifier: Apache-2.0
// Heat maps and their legends as shapes: what figures and saved files are made of.
import { colourOf, type Theme } from '../colour/scale.ts';
import { type Paper, palette } from '../styles/tokens.ts';
import { cellLook, cellText, type Heat } from './heat.ts';
import { type Scale, ticks } from './scale.ts';
import type { Box, Shape } from './shapes.ts';

/** How wide a legend's bar is. */
export const BAR = 96;
const STEPS = 48;
/** The size of numbers in cells, and about the width of one of their digits. */
const [NUMBER, DIGIT] = [11, 5.6];

/** Smaller numbers cannot be read. */
const LEAST = 7;

// The size at which the longest number of a matrix fits its cells; undefined where none does.
function fittingSize(heat: Heat, cw: number): number | undefined {
  let longest = 1;
  for (let i = 0; i < heat.rows; i++)
    for (let j = 0; j < heat.cols; j++) longest = Math.max(longest, cellText(heat, i, j).length);
  const size = Math.min(NUMBER, (NUMBER * cw) / (longest * DIGIT));
  return size < LEAST ? undefined : size;
}

/** The cells of a heat map, from the corner (x, y). Numbers that have to fit are smaller, all of them, or left out. */
export function heatShapes(heat: Heat, { x, y, w, h }: Box, numbers: 'none' | 'fitting' | 'all'): Shape[] {
  const { rows, cols, paper } = heat;
  const [cw, ch] = [w / cols, h / rows];
  const gap = Math.min(cw, ch) < 5 ? 0 : 1;
  const shapes: Shape[] = [];
  const size = numbers === 'all' ? NUMBER : numbers === 'fitting' ? fittingSize(heat, cw) : undefined;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const box = { x: x + j * cw, y: y + i * ch, w: cw - gap, h: ch - gap };
      const look = cellLook(heat, i, j);
      if (look.is === 'hatched') hatch(shapes, box, paper);
      else shapes.push({ kind: 'rect', ...box, ...(look.is === 'edged' ? { line: look.edge } : { fill: look.fill }) });
      if (size === undefined) continue;
      const text = cellText(heat, i, j);
      if (text === '') continue;
      shapes.push({ kind: 'text', x: box.x + box.w / 2, y: box.y + box.h / 2 + 4, text, size, at: 'middle',
        fill: look.is === 'hatched' ? paper.ink2 : look.ink });
    }
  }
  return shapes;
}

/** The bar of a scale, with the numbers of its ends. */
export function legendShapes({ kind, domain }: Scale, x: number, y: number, theme: Theme): Shape[] {
  const [least, most] = domain;
  const shapes: Shape[] = Array.from({ length: STEPS }, (_, k) => ({ kind: 'rect', x: x + (k * BAR) / STEPS, y,
    w: BAR / STEPS + 0.2, h: 6,
    fill: colourOf(least + ((most - least) * k) / (STEPS - 1), domain, kind, theme).fill }));
  for (const tick of ticks(domain)) {
    shapes.push({ kind: 'text', x: x + tick.at * BAR, y: y + 18, text: tick.text, size: NUMBER,
      fill: palette[theme].ink2, at: tick.at === 0 ? 'start' : tick.at === 1 ? 'end' : 'middle' });
  }
  return shapes;
}

function hatch(into: Shape[], { x, y, w, h }: Box, paper: Paper): void {
  const step = 6;
  // Lines of slope -1 through the box, cut at its edges.
  for (let c = step; c < w + h; c += step) {
    const [x1, y1] = c <= h ? [x, y + c] : [x + c - h, y + h];
    const [x2, y2] = c <= w ? [x + c, y] : [x + w, y + c - w];
    into.push({ kind: 'line', x1, y1, x2, y2, line: paper.hatch });
  }
}
