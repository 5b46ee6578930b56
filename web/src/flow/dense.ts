// SPDX-License-Identifier: Apache-2.0
import { rgb } from 'd3-color';
import { colourOf } from '../colour/scale.ts';
import type { Picture } from './paint.ts';

const MOST_CELLS = 20_000;
const MOST_PIXELS = 1024;

export const isDense = ({ rows, cols }: Picture): boolean => rows * cols > MOST_CELLS;

/** A matrix of very many cells: a pixel for each (or a sample of them), scaled into place. */
export function paintDense(to: CanvasRenderingContext2D, w: number, h: number, picture: Picture): void {
  const rows = Math.min(MOST_PIXELS, picture.rows);
  const cols = Math.min(MOST_PIXELS, picture.cols);
  const small = document.createElement('canvas');
  small.width = cols;
  small.height = rows;
  const on = small.getContext('2d');
  if (!on) return;
  const image = on.createImageData(cols, rows);
  const { kind, theme, domain, paper } = picture;
  const hidden = channels(paper.hatch);
  const allowed = channels(paper.hover);
  const known = new Map<string, [number, number, number]>();
  for (let y = 0; y < rows; y++) {
    const i = Math.floor((y * picture.rows) / rows);
    for (let x = 0; x < cols; x++) {
      const j = Math.floor((x * picture.cols) / cols);
      const value = picture.at(i, j);
      let colour = allowed;
      if (picture.masked?.(i, j) || (kind === 'mask' && value === 0)) colour = hidden;
      else if (kind !== 'mask' && !picture.empty) {
        const { fill } = colourOf(value, domain, kind, theme);
        colour = known.get(fill) ?? channels(fill);
        known.set(fill, colour);
      }
      image.data.set([...colour, 255], (y * cols + x) * 4);
    }
  }
  on.putImageData(image, 0, 0);
  to.imageSmoothingEnabled = false;
  to.drawImage(small, 0, 0, w, h);
}

function channels(colour: string): [number, number, number] {
  const { r, g, b } = rgb(colour);
  return [r, g, b];
}
