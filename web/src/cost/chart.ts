// SPDX-License-Identifier: Apache-2.0
import { nothing } from 'lit';
import { counted, onLegend } from '../colour/numbers.ts';
import { maximum, minimum } from '../lists.ts';
import { powers } from '../strings/numerals.ts';
import type { Point } from './fit.ts';
import { plot } from './log-chart.ts';

export interface Line {
  name: string;
  points: Point[];
}

const written = (value: number): string =>
  (value >= 1000 ? counted(value) : value < 1e-3 ? powers(value, 0) : onLegend(value));

/** A cost over the number of words, up to `most`. */
export function chart(title: string, unit: string, lines: Line[], most: number): unknown {
  const sizes = lines.flatMap(({ points }) => points).filter(({ value }) => value > 0).map(({ n }) => n);
  if (sizes.length === 0) return nothing;
  const ends: [number, number] = [minimum(sizes), maximum(sizes, most)];
  return plot({
    title, unit, note: unit, axis: 'n', ends, written, powers: true,
    sizes: Array.from({ length: Math.floor(Math.log2(ends[1] / ends[0])) + 1 }, (_, k) => ends[0] * 2 ** k),
    curves: lines.map(({ name, points }) => ({ name, points, style: name === 'A' && lines.length > 1 ? 'a' : 'b',
      ...(lines.length > 1 ? { letter: name as 'A' | 'B' } : {}) })),
  });
}
