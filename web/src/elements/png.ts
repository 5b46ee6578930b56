// SPDX-License-Identifier: Apache-2.0
import type { Drawing, Shape } from './shapes.ts';
import { described, printed } from './png-chunks.ts';
import { pixelsOf } from './sheet.ts';

const FONT = "'Source Sans 3', 'Segoe UI', Helvetica, Arial, sans-serif";
const MOST_PIXELS = 64_000_000;
const DENSITY = 3;

// Browsers refuse canvases beyond about this many pixels.
const scaleOf = ({ width, height }: Drawing, density: number): number =>
  Math.min(density, Math.sqrt(MOST_PIXELS / (width * height)));

/** How many pixels its picture has across and down. */
export function pixelSize(figure: Drawing): [number, number] {
  const scale = scaleOf(figure, DENSITY);
  return [Math.round(figure.width * scale), Math.round(figure.height * scale)];
}

/** Draws the figure. The policy forbids loading an SVG as an image, so the shapes are drawn anew. */
export function drawOn(canvas: HTMLCanvasElement, figure: Drawing, density = DENSITY): void {
  const { width, height, shapes } = figure;
  const scale = scaleOf(figure, density);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const to = canvas.getContext('2d');
  if (!to) return;
  to.scale(scale, scale);
  to.direction = 'ltr';
  for (const shape of shapes) draw(to, shape);
}

function draw(to: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.kind === 'rect') {
    const { x, y, w, h, fill, line } = shape;
    if (fill) {
      to.fillStyle = fill;
      to.fillRect(x, y, w, h);
    }
    if (!line) return;
    to.strokeStyle = line;
    to.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  } else if (shape.kind === 'line') {
    to.strokeStyle = shape.line;
    to.beginPath();
    to.moveTo(shape.x1, shape.y1);
    to.lineTo(shape.x2, shape.y2);
    to.stroke();
  } else if (shape.kind === 'path') {
    to.strokeStyle = shape.line;
    to.lineWidth = shape.wide;
    to.setLineDash(shape.dashed ? [4, 3] : []);
    to.beginPath();
    shape.points.forEach(([x, y], k) => (k === 0 ? to.moveTo(x, y) : to.lineTo(x, y)));
    to.stroke();
    to.lineWidth = 1;
    to.setLineDash([]);
  } else {
    const { x, y, text, size, fill, at, bold, turn } = shape;
    to.save();
    to.translate(x, y);
    to.rotate(((turn ?? 0) * Math.PI) / 180);
    to.font = `${bold ? 600 : 400} ${size}px ${FONT}`;
    to.fillStyle = fill;
    to.textAlign = at === 'middle' ? 'center' : at;
    to.fillText(text, 0, 0);
    to.restore();
  }
}

export async function pngOf(figure: Drawing): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const { centimetres, about, title } = figure;
  drawOn(canvas, figure, centimetres === undefined ? DENSITY : pixelsOf({ centimetres }) / figure.width);
  const drawn = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
  let bytes: Uint8Array = new Uint8Array(await drawn.arrayBuffer());
  // Of a sheet that is larger than browsers can draw, the resolution is what gives way.
  if (centimetres !== undefined) bytes = printed(bytes, canvas.width === pixelsOf({ centimetres }) ? undefined
    : Math.round(canvas.width / (centimetres / 100)));
  if (about) bytes = described(bytes, title, about);
  return new Blob([bytes as BlobPart], { type: 'image/png' });
}
