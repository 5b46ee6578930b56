// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { inCell, printed } from '../colour/numbers.ts';
import { colourOf, type Domain, type Kind, type Theme } from '../colour/scale.ts';
import { isDense, isPlain, paintDense, paintPlain } from './dense.ts';
import type { Paper } from '../styles/tokens.ts';

/** Numbers in place: for pictures of very many cells, which are read without a call for each. */
export interface Field {
  data: Float32Array;
  start: number;
  down: number;
  across: number;
}

export interface Picture {
  rows: number;
  cols: number;
  at: (row: number, col: number) => number;
  masked?: (row: number, col: number) => boolean;
  /** The same as `at` and `masked`. */
  field?: Field;
  hides?: Field | undefined;
  kind: Kind | 'mask';
  domain: Domain;
  theme: Theme;
  paper: Paper;
  empty?: boolean;
  fine?: boolean;
  /** Signed numbers that are weights: two places, and nothing for what is small. */
  shares?: boolean;
  /** The size of the numbers in CSS pixels, where it is not the usual one; 0: none are written. */
  type?: number;
  faded?: ((row: number, col: number) => boolean) | undefined;
}

const LETTERS = "'Source Sans 3'";
const SIZE = '11px';
let lettersCame = false;
// What each canvas was asked to show last.
const shown = new WeakMap<HTMLCanvasElement, Picture>();

// Text on a canvas stays in the letters that were there when it was drawn: with those still on their way it is drawn
// once more when they have come.
function againWithLetters(canvas: HTMLCanvasElement, picture: Picture, again: () => void): void {
  const { fonts } = document;
  const font = `${SIZE} ${LETTERS}`;
  lettersCame ||= !fonts || fonts.check(font, '0');
  if (lettersCame) return;
  shown.set(canvas, picture);
  const came = (): void => {
    lettersCame = true;
    if (shown.get(canvas) === picture) again();
  };
  fonts.load(font, '0').then(came, () => (lettersCame = true));
}

/** Draws a matrix of w by h CSS pixels. Text appears when the cells have room for it. */
export function paint(canvas: HTMLCanvasElement, w: number, h: number, picture: Picture): void {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const [width, height] = [Math.round(w * ratio), Math.round(h * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const to = canvas.getContext('2d');
  if (!to || width < 1 || height < 1) return;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, w, h);
  const { rows, cols } = picture;
  const cw = w / cols;
  const ch = h / rows;
  const gap = Math.min(cw, ch) < 5 ? 0 : 1;
  const hatch = picture.masked || picture.kind === 'mask' ? hatching(to, picture.paper, ratio) : picture.paper.hover;
  // A picture is looked at; its numbers stand in the table.
  const { type } = picture;
  const written = picture.kind !== 'light' && type !== 0 && hasText(cw, ch) && fits(picture, cw);
  // To set a font makes the browser settle all styles of the page, so only where something is written.
  if (written) {
    to.font = `${type ? `${type}px` : cw > 40 && ch > 26 ? '12px' : SIZE} ${LETTERS}, system-ui, sans-serif`;
    againWithLetters(canvas, picture, () => paint(canvas, w, h, picture));
    to.textAlign = 'center';
    to.textBaseline = 'middle';
  }
  if (isDense(picture, w, h)) paintDense(to, w, h, picture);
  else if (!written && isPlain(picture)) paintPlain(to, w, h, picture, gap, hatch);
  else for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (picture.faded) to.globalAlpha = picture.faded(i, j) ? 0.25 : 1;
      cell(to, picture, i, j, cw, ch, gap, hatch, written);
    }
  }
  to.globalAlpha = 1;
}

const hasText = (cw: number, ch: number): boolean => cw >= 22 && ch >= 14;

// A digit of a cell's text is about so wide, in CSS pixels.
const DIGIT = 5.5;

// Numbers that touch their neighbours cannot be read; shares, which are short, always have room.
function fits({ kind, domain, fine, shares }: Picture, cw: number): boolean {
  if (shares || kind === 'weights' || kind === 'mask') return true;
  return maximum(domain.map((end) => inCell(end, fine ?? false).length)) * DIGIT + 4 <= cw;
}

// Of a difference the sign says which side has more; what is too small to show says it by its bound.
function withPlus(value: number): string {
  const text = inCell(value, true);
  return value > 0 && !text.startsWith('<') ? `+${text}` : text;
}

function cell(
  to: CanvasRenderingContext2D,
  picture: Picture,
  i: number,
  j: number,
  cw: number,
  ch: number,
  gap: number,
  hatch: CanvasPattern | string,
  written: boolean,
): void {
  const [x, y, w, h] = [j * cw, i * ch, cw - gap, ch - gap];
  const { paper, kind } = picture;
  const value = picture.at(i, j);
  if (picture.empty) {
    to.fillStyle = paper.hover;
    to.fillRect(x, y, w, h);
    return;
  }
  if (picture.masked?.(i, j) || (kind === 'mask' && value === 0)) {
    to.fillStyle = hatch;
    to.fillRect(x, y, w, h);
    return;
  }
  if (kind === 'mask') {
    to.fillStyle = picture.theme === 'light' ? '#ebe8e1' : '#32363c';
    to.fillRect(x, y, w, h);
    return;
  }
  const colour = colourOf(value, picture.domain, kind, picture.theme);
  const bare = kind === 'weights' && value === 0;
  if (bare) {
    to.strokeStyle = paper.line2;
    to.lineWidth = 1;
    to.strokeRect(x + 0.5, y + 0.5, Math.max(0, w - 1), Math.max(0, h - 1));
  } else {
    to.fillStyle = colour.fill;
    to.fillRect(x, y, w, h);
  }
  if (!written) return;
  to.fillStyle = bare ? paper.ink2 : colour.ink;
  const text = picture.fine ? withPlus(value)
    : printed(value, kind === 'weights' || picture.shares === true, picture.domain[1]);
  if (text !== '') to.fillText(text, x + w / 2, y + h / 2 + 0.5, w);
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
