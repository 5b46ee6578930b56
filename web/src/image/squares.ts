// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import type { Box } from '../elements/shapes.ts';
import type { Size } from './pixels.ts';
import { placeOf, type Scene } from './scene.ts';

/** Places of an image, in shares of its width and height. */
interface Square extends Box {
  name: string;
}

/**
 * Who asks and what is asked, as squares on the image; what of it the chosen cell was computed from (`fed`, the cells
 * of the input); and where the keyboard or the brush stands (`cursor`, one of `grid`'s rows and columns).
 */
export function squares(size: Size, { overlay, query, key }: Scene, fed: readonly number[][],
  cursor: { at: [number, number]; grid: [rows: number, cols: number] } | undefined): unknown {
  const place = (grid: { rows: number; cols: number; extra: number } | undefined, at: number | undefined,
    name: string): Square[] => {
    if (!grid || at === undefined || at < grid.extra) return [];
    const [row, col] = placeOf(grid.cols, at - grid.extra);
    return [{ x: col / grid.cols, y: row / grid.rows, w: 1 / grid.cols, h: 1 / grid.rows, name }];
  };
  const all = [
    ...around(size, fed),
    ...(overlay ? [...place(overlay.key, key, 'key'), ...place(overlay.query, query, 'query')] : []),
    ...(cursor ? [{ x: cursor.at[1] / cursor.grid[1], y: cursor.at[0] / cursor.grid[0], w: 1 / cursor.grid[1],
      h: 1 / cursor.grid[0], name: 'inner' }] : []),
  ];
  return html`<svg class="marks" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none"
    aria-hidden="true">${all.length === 0 ? nothing : all.map((one) => drawn(size, one))}</svg>`;
}

// The smallest square that holds all these pixels.
function around(size: Size, fed: readonly number[][]): Square[] {
  if (fed.length === 0) return [];
  const rows = fed.map(([row = 0]) => row);
  const cols = fed.map(([, col = 0]) => col);
  const [top, left] = [minimum(rows), minimum(cols)];
  return [{ x: left / size.width, y: top / size.height, w: (maximum(cols) - left + 1) / size.width,
    h: (maximum(rows) - top + 1) / size.height, name: 'fed' }];
}

const drawn = (size: Size, { x, y, w, h, name }: Square): unknown =>
  svg`<rect class="mark" x=${x * size.width} y=${y * size.height} width=${w * size.width}
  height=${h * size.height} /><rect class="mark ${name}" x=${x * size.width} y=${y * size.height}
  width=${w * size.width} height=${h * size.height} />`;
