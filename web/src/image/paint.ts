// SPDX-License-Identifier: Apache-2.0
// The image, and what lies over it, on one canvas.
import { bytesOf, type Theme } from '../colour/scale.ts';
import { veil } from '../elements/axis-range.ts';
import { type Size, rgbOf } from './pixels.ts';
import { largest, type Shares } from './shares.ts';

export interface Over {
  shares: Shares | undefined;
  way: 'light' | 'colour';
  /** From 0 to 1. */
  strength: number;
  grid: boolean;
  theme: Theme;
  paper: { background: string; line2: string };
}

let spare: HTMLCanvasElement | undefined;

// Pixels stay squares, however large they are drawn.
function pixels(to: CanvasRenderingContext2D, data: ArrayLike<number>, size: Size, only: number | undefined, w: number,
  h: number): void {
  spare ??= document.createElement('canvas');
  [spare.width, spare.height] = [size.width, size.height];
  const inner = spare.getContext('2d');
  if (!inner) return;
  const image = inner.createImageData(size.width, size.height);
  image.data.set(rgbOf(data, size, only));
  inner.putImageData(image, 0, 0);
  to.imageSmoothingEnabled = false;
  to.drawImage(spare, 0, 0, w, h);
}

export function paintImage(canvas: HTMLCanvasElement, w: number, h: number, data: ArrayLike<number>, size: Size,
  only: number | undefined, over: Over): void {
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  [canvas.width, canvas.height] = [Math.max(1, Math.round(w * ratio)), Math.max(1, Math.round(h * ratio))];
  const to = canvas.getContext('2d');
  if (!to) return;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  pixels(to, data, size, only, w, h);
  const { shares, way, strength, theme, paper } = over;
  if (shares) {
    const { rows, cols } = shares;
    const most = Math.max(largest(shares).value, Number.MIN_VALUE);
    const colours = bytesOf('weights', theme);
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        const share = Math.min(1, Math.max(0, shares.at(row, col) / most));
        if (way === 'light') {
          to.globalAlpha = veil(share) * strength;
          to.fillStyle = paper.background;
        } else {
          const bytes = colours[Math.round(share * (colours.length - 1))]!;
          to.globalAlpha = 0.85 * strength;
          to.fillStyle = `rgb(${bytes & 255} ${(bytes >> 8) & 255} ${(bytes >> 16) & 255})`;
        }
        const [x, y] = [(col * w) / cols, (row * h) / rows];
        to.fillRect(x, y, w / cols + 0.3, h / rows + 0.3);
      }
    }
    to.globalAlpha = 1;
    if (over.grid) lines(to, w, h, rows, cols, paper.line2);
  } else if (over.grid) lines(to, w, h, size.height, size.width, paper.line2);
}

function lines(to: CanvasRenderingContext2D, w: number, h: number, rows: number, cols: number, colour: string): void {
  if (Math.min(w / cols, h / rows) < 6) return;
  to.strokeStyle = colour;
  to.globalAlpha = 0.55;
  to.lineWidth = 0.75;
  to.beginPath();
  for (let row = 1; row < rows; row++) {
    to.moveTo(0, (row * h) / rows);
    to.lineTo(w, (row * h) / rows);
  }
  for (let col = 1; col < cols; col++) {
    to.moveTo((col * w) / cols, 0);
    to.lineTo((col * w) / cols, h);
  }
  to.stroke();
  to.globalAlpha = 1;
}
