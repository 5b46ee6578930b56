// SPDX-License-Identifier: Apache-2.0
// Heat maps on a canvas: the page's own heats.
import type { Paper } from '../styles/tokens.ts';
import { isDense, isPlain, isScaled, paintDense, paintPlain, paintScaled, unscale } from './dense.ts';
import { cellLook, cellText, type Heat, isWritten } from './heat.ts';

const LETTERS = "'Source Sans 3'";
const SIZE = '11px';
let lettersCame = false;
// What each canvas was asked to show last.
const shown = new WeakMap<HTMLCanvasElement, Heat>();

// Text on a canvas stays in the letters that were there when it was drawn: with those still on their way it is drawn
// once more when they have come.
function againWithLetters(canvas: HTMLCanvasElement, heat: Heat, again: () => void): void {
  const { fonts } = document;
  const font = `${SIZE} ${LETTERS}`;
  lettersCame ||= !fonts || fonts.check(font, '0');
  if (lettersCame) return;
  shown.set(canvas, heat);
  const came = (): void => {
    lettersCame = true;
    if (shown.get(canvas) === heat) again();
  };
  fonts.load(font, '0').then(came, () => (lettersCame = true));
}

/** Draws a matrix of w by h CSS pixels. Text appears when the cells have room for it. */
export function drawHeat(canvas: HTMLCanvasElement, w: number, h: number, heat: Heat): void {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const [width, height] = [Math.round(w * ratio), Math.round(h * ratio)];
  if (isScaled(heat, w, h, ratio)) return paintScaled(canvas, heat, width, height);
  unscale(canvas);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const to = canvas.getContext('2d');
  if (!to || width < 1 || height < 1) return;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, w, h);
  const { rows, cols } = heat;
  const cw = w / cols;
  const ch = h / rows;
  const gap = Math.min(cw, ch) < 5 ? 0 : 1;
  const hatch = heat.masked || heat.kind === 'mask' ? hatching(to, heat.paper, ratio) : heat.paper.hover;
  const { type } = heat;
  const written = isWritten(heat, cw, ch);
  // To set a font makes the browser settle all styles of the page, so only where something is written.
  if (written) {
    to.font = `${type ? `${type}px` : cw > 40 && ch > 26 ? '12px' : SIZE} ${LETTERS}, system-ui, sans-serif`;
    againWithLetters(canvas, heat, () => drawHeat(canvas, w, h, heat));
    to.textAlign = 'center';
    to.textBaseline = 'middle';
  }
  if (isDense(heat, w, h)) paintDense(to, w, h, heat, hatch);
  else if (!written && isPlain(heat)) paintPlain(to, w, h, heat, gap, hatch);
  else for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (heat.faded) to.globalAlpha = heat.faded(i, j) ? 0.25 : 1;
      cell(to, heat, i, j, cw, ch, gap, hatch, written);
    }
  }
  to.globalAlpha = 1;
}

function cell(
  to: CanvasRenderingContext2D,
  heat: Heat,
  i: number,
  j: number,
  cw: number,
  ch: number,
  gap: number,
  hatch: CanvasPattern | string,
  written: boolean,
): void {
  const [x, y, w, h] = [j * cw, i * ch, cw - gap, ch - gap];
  const look = cellLook(heat, i, j);
  if (look.is === 'edged') {
    to.strokeStyle = look.edge;
    to.lineWidth = 1;
    to.strokeRect(x + 0.5, y + 0.5, Math.max(0, w - 1), Math.max(0, h - 1));
  } else {
    to.fillStyle = look.is === 'hatched' ? hatch : look.fill;
    to.fillRect(x, y, w, h);
  }
  const text = written ? cellText(heat, i, j) : '';
  if (text === '') return;
  to.fillStyle = look.is === 'hatched' ? heat.paper.ink2 : look.ink;
  to.fillText(text, x + w / 2, y + h / 2 + 0.5, w);
}

const hatchings = new Map<string, CanvasPattern>();

function hatching(to: CanvasRenderingContext2D, paper: Paper, ratio: number): CanvasPattern | string {
  const key = `${paper.hatch} ${ratio}`;
  const known = hatchings.get(key);
  if (known) return known;
  const size = 6 * ratio;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const on = tile.getContext('2d');
  if (!on) return paper.hover;
  on.strokeStyle = paper.hatch;
  on.lineWidth = ratio;
  on.beginPath();
  for (const shift of [-size, 0, size]) {
    on.moveTo(shift - ratio, size + ratio);
    on.lineTo(shift + size + ratio, -ratio);
  }
  on.stroke();
  const pattern = to.createPattern(tile, 'repeat');
  if (!pattern) return paper.hover;
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  hatchings.set(key, pattern);
  return pattern;
}
