// SPDX-License-Identifier: Apache-2.0
// What a heat map shows in each cell. Canvas and file draw it from here, so that they cannot differ.
import { exactly, inCell, printed } from '../colour/numbers.ts';
import { colourOf, type Domain, domainIn, hasNegative, type Kind, type Theme } from '../colour/scale.ts';
import { isMask, isWeights, kindOf } from '../directory/naming.ts';
import type { Plane } from '../engine/result.ts';
import { maximum } from '../lists.ts';
import { type Paper, palette } from '../styles/tokens.ts';
import { type Scale, scaleFor } from './scale.ts';

/** How a plane is to be drawn; what is left out follows from the tensor's types. */
export interface HeatLook {
  theme: Theme;
  kind?: Kind | undefined;
  domain?: Domain | undefined;
  /** Zero where a cell is masked. A mask of one row holds for all rows. */
  mask?: Plane | undefined;
  transposed?: boolean;
  /** Grey cells in the final shape, before the numbers come. */
  empty?: boolean;
  /** Signed numbers with two places and their sign, as differences of weights have. */
  fine?: boolean;
  /** Signed numbers that are weights: two places, and nothing for what is small. */
  shares?: boolean | undefined;
  /** The size of the numbers in CSS pixels, where it is not the usual one; 0: none are written. */
  type?: number | undefined;
  /** What a masked cell says where it has room. */
  marks?: ((row: number, col: number) => string) | undefined;
  /** Cells to be drawn faintly. */
  faded?: ((row: number, col: number) => boolean) | undefined;
}

/** Numbers in place: pictures of very many cells are read without a call for each. */
export interface Field {
  data: Float32Array;
  start: number;
  down: number;
  across: number;
}

/** A plane and all that decides how its cells look. */
export interface Heat extends Pick<HeatLook, 'empty' | 'fine' | 'shares' | 'type' | 'faded' | 'marks'> {
  rows: number;
  cols: number;
  at: (row: number, col: number) => number;
  masked: ((row: number, col: number) => boolean) | undefined;
  field: Field;
  hides: Field | undefined;
  kind: Kind | 'mask';
  domain: Domain;
  theme: Theme;
  paper: Paper;
  /** The numbers say which one, and not how much. */
  names?: true;
}

const fieldOf = ({ tensor, start, down, across }: Plane, flip: boolean): Field =>
  (flip ? { data: tensor.data, start, down: across, across: down } : { data: tensor.data, start, down, across });
const reader = ({ data, start, down, across }: Field) => (row: number, col: number): number =>
  data[start + row * down + col * across] ?? Number.NaN;

/** The scale of a plane's colours, as its cells and its legend share it. */
export function scaleOf(plane: Plane, look: Pick<HeatLook, 'kind' | 'domain'>): Scale {
  const { data } = plane.tensor;
  const kind = look.kind ?? kindOf(plane.tensor);
  const asked = look.domain ?? domainIn(data, kind);
  if (kind !== 'weights' || !hasNegative(data)) return scaleFor(kind, asked);
  return scaleFor('signed', [domainIn(data, 'signed')[0], asked[1]]);
}

// Numbers that say which one, such as those of words, are no amounts: on this scale each has the colour of 0.
const NAMES: Domain = [-1e9, 1e9];

export function heatOf(plane: Plane, look: HeatLook): Heat {
  const flip = look.transposed ?? false;
  const field = fieldOf(plane, flip);
  const over = look.mask && fieldOf(look.mask, flip);
  const hides = over && look.mask!.rows === 1 ? { ...over, [flip ? 'across' : 'down']: 0 } : over;
  const hidden = hides && reader(hides);
  const names = plane.tensor.kind === 'index' && !look.fine ? true : undefined;
  const { kind, domain } = names ? { kind: 'signed' as const, domain: NAMES } : scaleOf(plane, look);
  return {
    rows: flip ? plane.cols : plane.rows, cols: flip ? plane.rows : plane.cols, at: reader(field), field, hides,
    masked: hidden && ((row, col) => hidden(row, col) === 0), kind: isMask(plane.tensor) ? 'mask' : kind, domain,
    ...(names ? { names } : {}), theme: look.theme, paper: palette[look.theme],
    empty: look.empty ?? false, fine: look.fine ?? false,
    shares: look.shares ?? isWeights(plane.tensor), ...(look.type === undefined ? {} : { type: look.type }),
    faded: look.faded && (flip ? (row, col) => look.faded!(col, row) : look.faded),
    marks: look.marks && (flip ? (row, col) => look.marks!(col, row) : look.marks),
  };
}

/** What a cell looks like: hatched, or filled, or empty with an edge. */
export type CellLook = { is: 'hatched' } | { is: 'filled'; fill: string; ink: string }
  | { is: 'edged'; edge: string; ink: string };

const HATCHED: CellLook = { is: 'hatched' };

/** What a cell that a mask lets through is filled with. */
export const allowedFill = (theme: Theme): string => (theme === 'light' ? '#ebe8e1' : '#32363c');

export function cellLook({ at, masked, kind, domain, theme, paper, empty }: Heat, row: number, col: number): CellLook {
  if (empty) return { is: 'filled', fill: paper.hover, ink: paper.ink2 };
  const value = at(row, col);
  if (masked?.(row, col) || (kind === 'mask' && value === 0)) return HATCHED;
  if (kind === 'mask') return { is: 'filled', fill: allowedFill(theme), ink: paper.ink2 };
  // A colour of the scale would claim a number.
  if (Number.isNaN(value)) return { is: 'filled', fill: paper.hover, ink: paper.ink2 };
  // An exact zero among weights is seen as such; −0 is one, too.
  if (kind === 'weights' && value === 0) return { is: 'edged', edge: paper.line2, ink: paper.ink2 };
  return { is: 'filled', ...colourOf(value, domain, kind, theme) };
}

// Of a difference the sign says which side has more; what is too small to show says it by its bound.
function withPlus(value: number): string {
  const text = inCell(value, true);
  return value > 0 && !text.startsWith('<') ? `+${text}` : text;
}

/** The number that a cell prints, or its mark if it is masked; empty where it prints none. */
export function cellText({ at, masked, marks, kind, domain, fine, shares, empty, names }: Heat, row: number,
  col: number): string {
  if (empty || kind === 'mask') return '';
  if (masked?.(row, col)) return marks?.(row, col) ?? '';
  const value = at(row, col);
  if (names) return exactly(value);
  return fine ? withPlus(value) : printed(value, kind === 'weights' || shares === true, domain[1]);
}

// A digit of a cell's text is about so wide, in CSS pixels.
const DIGIT = 5.5;
const SMALLEST = { w: 22, h: 14 };

/** Whether numbers have room in cells of this size: those that touch their neighbours cannot be read. */
export function isWritten(heat: Heat, w: number, h: number): boolean {
  const { kind, type, shares, domain, fine, names } = heat;
  // A picture is looked at; its numbers are in the table.
  if (kind === 'light' || type === 0 || w < SMALLEST.w || h < SMALLEST.h) return false;
  // Shares, which are short, always have room.
  if (shares || names || kind === 'weights' || kind === 'mask') return true;
  const text = (end: number) => (fine ? inCell(end, true) : printed(end, false, domain[1]));
  const fits = (letters: number) => letters * DIGIT + 4 <= w;
  // A scale has both signs, so its ends may be longer than any number that is here.
  return fits(maximum(domain.map((end) => text(end).length))) || fits(longestIn(heat));
}

// Larger matrices have no cells of this size in any picture.
const MOST = 400;

function longestIn(heat: Heat): number {
  const { rows, cols } = heat;
  if (rows * cols > MOST) return Infinity;
  return maximum(Array.from({ length: rows * cols }, (_, k) => cellText(heat, Math.floor(k / cols), k % cols).length));
}

/** A plane's size in a square of this side, in its proportions, but nowhere thinner than the eye finds. */
export function fitted({ rows, cols }: Pick<Plane, 'rows' | 'cols'>, side: number): { w: number; h: number } {
  const unit = side / Math.max(rows, cols, 1);
  const least = Math.min(side, 8);
  return { w: Math.max(unit * cols, least), h: Math.max(unit * rows, least) };
}
