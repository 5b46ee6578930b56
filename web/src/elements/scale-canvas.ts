// SPDX-License-Identifier: Apache-2.0
import { colourOf, type Kind, type Theme } from '../colour/scale.ts';

/** Draws the bar of a scale so many CSS pixels wide and tall; its ends are written beside it. */
export function drawScale(canvas: HTMLCanvasElement, kind: Kind, theme: Theme, wide: number, tall: number,
  ratio: number): void {
  [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(tall * ratio)];
  const to = canvas.getContext('2d');
  if (!to) return;
  to.scale(ratio, ratio);
  for (let x = 0; x < wide; x++) {
    to.fillStyle = colourOf(x, [0, wide - 1], kind, theme).fill;
    to.fillRect(x, 0, 1.5, tall);
  }
}
