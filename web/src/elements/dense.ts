// SPDX-License-Identifier: Apache-2.0
import { asBytes, bytesOf } from '../colour/scale.ts';
import { allowedFill, type Heat } from './heat.ts';

const MOST_CELLS = 20_000;
const MOST_PIXELS = 1024;
// Cells smaller than this have neither gaps nor text: a field of points shows the same.
const SMALLEST = 5;
// Fewer are drawn as fast one by one.
const FEWEST = 64;
const NOTHING = 0;
// A surface of more pixels takes longer to fill than its cells take to compute.
const MOST_FILLED = 1 << 20;

export const isDense = ({ rows, cols, faded }: Heat, w: number, h: number): boolean =>
  rows * cols > MOST_CELLS || (rows * cols > 400 && !faded && Math.min(w / cols, h / rows) < SMALLEST);

/** Many cells without text: one image, with gaps cut into it. */
export const isPlain = ({ rows, cols, faded, empty }: Heat): boolean => rows * cols > FEWEST && !faded && !empty;

// One surface for all: made anew only when a larger heat comes.
let scratch: HTMLCanvasElement | undefined;
let spare: ImageData | undefined;

interface Marks {
  hidden: number;
  allowed: number;
  /** The colour of a weight of exactly 0, where it is another than the scale's. */
  bare?: number;
}

// A pixel for each cell, or for a sample of them.
function pixelsOf(to: CanvasRenderingContext2D, heat: Heat, rows: number, cols: number,
  { hidden, allowed, bare }: Marks): ImageData {
  const drawn = spare?.width === cols && spare.height === rows ? spare : (spare = to.createImageData(cols, rows));
  const pixels = new Uint32Array(drawn.data.buffer);
  const { kind, theme } = heat;
  const { field, field: { data, across }, hides } = heat;
  const without = asBytes(heat.paper.hover);
  const [low, high] = heat.domain;
  const mask = kind === 'mask';
  const scale = bytesOf(mask ? 'weights' : kind, theme);
  const last = scale.length - 1;
  const span = high > low ? last / (high - low) : 0;
  if (heat.empty) pixels.fill(allowed);
  for (let y = 0; y < rows && !heat.empty; y++) {
    const i = rows === heat.rows ? y : Math.floor((y * heat.rows) / rows);
    const [from, under] = [field.start + i * field.down, hides ? hides.start + i * hides.down : 0];
    for (let x = 0; x < cols; x++) {
      const j = cols === heat.cols ? x : Math.floor((x * heat.cols) / cols);
      const value = data[from + j * across]!;
      let colour = allowed;
      if (hides !== undefined && hides.data[under + j * hides.across] === 0) colour = hidden;
      else if (mask) colour = value === 0 ? hidden : allowed;
      else if (value !== value) colour = without;
      else if (bare !== undefined && value === 0) colour = bare;
      // Like stepOf, without a call.
      else {
        const step = (value - low) * span;
        colour = scale[span === 0 ? (last + 1) >> 1 : step >= last ? last : step > 0 ? (step + 0.5) | 0 : 0]!;
      }
      pixels[y * cols + x] = colour;
    }
  }
  return drawn;
}

function image(to: CanvasRenderingContext2D, heat: Heat, rows: number, cols: number,
  marks: Marks): HTMLCanvasElement | undefined {
  scratch ??= document.createElement('canvas');
  if (scratch.width < cols) scratch.width = cols;
  if (scratch.height < rows) scratch.height = rows;
  const on = scratch.getContext('2d');
  on?.putImageData(pixelsOf(to, heat, rows, cols, marks), 0, 0);
  return on ? scratch : undefined;
}

// What is masked stays bare in an image: the hatches are seen there.
function hatchUnder(to: CanvasRenderingContext2D, w: number, h: number, { masked, kind }: Heat,
  hatch: CanvasPattern | string): void {
  if (!masked && kind !== 'mask') return;
  to.fillStyle = hatch;
  to.fillRect(0, 0, w, h);
}

// More points than the screen has would not be seen.
const pointsOf = ({ rows, cols }: Heat, width: number, height: number): [number, number] =>
  [Math.min(MOST_PIXELS, rows, height), Math.min(MOST_PIXELS, cols, width)];
const marksOf = ({ paper }: Heat): Marks => ({ hidden: NOTHING, allowed: asBytes(paper.hover) });

/** A matrix of very many cells: a pixel for each (or a sample of them), scaled into place. */
export function paintDense(to: CanvasRenderingContext2D, w: number, h: number, heat: Heat,
  hatch: CanvasPattern | string): void {
  const [rows, cols] = pointsOf(heat, to.canvas.width, to.canvas.height);
  const small = image(to, heat, rows, cols, marksOf(heat));
  if (!small) return;
  hatchUnder(to, w, h, heat, hatch);
  place(to, small, rows, cols, w, h);
}

/** Whether so many pixels are left to the browser, which scales only the part of them that is seen. */
export const isScaled = (heat: Heat, w: number, h: number, ratio: number): boolean =>
  w * h * ratio * ratio > MOST_FILLED && isDense(heat, w, h);

// The same hatches as on a canvas: tiles of 6 by 6 with lines of 1 through their middle and two of their corners.
const hatches = (colour: string): string => `repeating-linear-gradient(135deg, ${colour} 0 0.5px,
  #0000 0.5px calc(50% - 0.5px), ${colour} calc(50% - 0.5px) 50%) 0 0 / 6px 6px`;
const scaled = new WeakSet<HTMLCanvasElement>();

/** A large picture of many cells: the canvas has a pixel for each, and the element's size scales them. */
export function paintScaled(canvas: HTMLCanvasElement, heat: Heat, width: number, height: number): void {
  const [rows, cols] = pointsOf(heat, width, height);
  if (canvas.width !== cols || canvas.height !== rows) [canvas.width, canvas.height] = [cols, rows];
  const to = canvas.getContext('2d');
  to?.putImageData(pixelsOf(to, heat, rows, cols, marksOf(heat)), 0, 0);
  const background = heat.masked || heat.kind === 'mask' ? hatches(heat.paper.hatch) : '';
  scaled.add(canvas);
  Object.assign(canvas.style, { background, imageRendering: 'pixelated', printColorAdjust: 'exact' });
}

/** The canvas has a pixel for each point of the screen again. */
export function unscale(canvas: HTMLCanvasElement): void {
  if (scaled.delete(canvas)) Object.assign(canvas.style, { background: '', imageRendering: '' });
}

/** Cells with gaps and hatches but without text: hatches first, the image over them, then the gaps. */
export function paintPlain(to: CanvasRenderingContext2D, w: number, h: number, heat: Heat, gap: number,
  hatch: CanvasPattern | string): void {
  const { rows, cols, paper, kind, masked, at } = heat;
  const allowed = asBytes(allowedFill(heat.theme));
  const [cw, ch] = [w / cols, h / rows];
  const bare = kind === 'weights' ? { bare: NOTHING } : {};
  const small = image(to, heat, rows, cols, { hidden: NOTHING, allowed, ...bare });
  if (!small) return;
  hatchUnder(to, w, h, heat, hatch);
  to.strokeStyle = paper.line2;
  to.lineWidth = 1;
  for (let i = 0; kind === 'weights' && i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (at(i, j) !== 0 || masked?.(i, j)) continue;
      to.clearRect(j * cw, i * ch, cw, ch);
      to.strokeRect(j * cw + 0.5, i * ch + 0.5, Math.max(0, cw - gap - 1), Math.max(0, ch - gap - 1));
    }
  }
  place(to, small, rows, cols, w, h);
  if (gap === 0) return;
  for (let i = 1; i <= rows; i++) to.clearRect(0, i * ch - gap, w, gap);
  for (let j = 1; j <= cols; j++) to.clearRect(j * cw - gap, 0, gap, h);
}

function place(to: CanvasRenderingContext2D, small: HTMLCanvasElement, rows: number, cols: number, w: number,
  h: number): void {
  to.imageSmoothingEnabled = false;
  to.drawImage(small, 0, 0, cols, rows, 0, 0, w, h);
}
