// SPDX-License-Identifier: Apache-2.0
import { asBytes, bytesOf, stepOf } from '../colour/scale.ts';
import type { Picture } from './paint.ts';

const MOST_CELLS = 20_000;
const MOST_PIXELS = 1024;
// Cells smaller than this have neither gaps nor text: a field of points shows the same.
const SMALLEST = 5;

export const isDense = ({ rows, cols, faded }: Picture, w: number, h: number): boolean =>
  rows * cols > MOST_CELLS || (rows * cols > 400 && !faded && Math.min(w / cols, h / rows) < SMALLEST);

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
  const pixels = new Uint32Array(image.data.buffer);
  const { kind, theme, paper, at, masked } = picture;
  const [low, high] = picture.domain;
  const span = high > low ? 1 / (high - low) : 0;
  const mask = kind === 'mask';
  const scale = bytesOf(mask ? 'weights' : kind, theme);
  const [hidden, allowed] = [asBytes(paper.hatch), asBytes(paper.hover)];
  for (let y = 0; y < rows; y++) {
    const i = rows === picture.rows ? y : Math.floor((y * picture.rows) / rows);
    for (let x = 0; x < cols; x++) {
      const j = cols === picture.cols ? x : Math.floor((x * picture.cols) / cols);
      let colour = allowed;
      if (picture.empty) colour = allowed;
      else if (masked?.(i, j)) colour = hidden;
      else if (mask) colour = at(i, j) === 0 ? hidden : allowed;
      else colour = scale[stepOf(span === 0 ? 0.5 : (at(i, j) - low) * span)]!;
      pixels[y * cols + x] = colour;
    }
  }
  on.putImageData(image, 0, 0);
  to.imageSmoothingEnabled = false;
  to.drawImage(small, 0, 0, w, h);
}
