// SPDX-License-Identifier: Apache-2.0
import { inCell } from '../colour/numbers.ts';
import type { Kind } from '../colour/scale.ts';
import { isLight, runningAxes, type Typed } from '../directory/typed.ts';
import { planeCsv } from '../elements/csv.ts';
import { Plane, type Tensor } from '../engine/result.ts';
import { digits } from '../strings/numerals.ts';

/** Everything that a view may look at: a tensor with its types, and which place of each axis is shown. */
export interface Subject {
  tensor: Tensor;
  typed: Typed;
  /** The names of an axis' places, where they have names. */
  labels: (axis: number) => readonly string[] | undefined;
  /** The place that is shown of each axis that a picture holds still. */
  held: readonly number[];
  /** Of numbers that stand for words: the word of a number. */
  word?: (value: number) => string | undefined;
  /** The place along an axis that is pointed at or locked, in whatever tensor that is. */
  at?: (axis: number) => number | undefined;
}

export interface Room {
  width: number;
  height: number;
}

/** One way to draw a tensor. Adding one is adding its file and its words: `all.ts` takes every view of this folder. */
export interface View {
  id: string;
  /** Of the views that accept a tensor the one of the lowest rank is how it is drawn unless the reader chooses. */
  rank: number;
  /** Of a view that has something to show where there is no number at all. */
  bare?: true;
  /** From the axes' roles, the kind of the numbers and the shape alone. */
  accepts(typed: Typed, shape: readonly number[]): boolean;
  draw(subject: Subject, room: Room): unknown;
  /** What a screen reader says of the whole picture. */
  says(subject: Subject): string;
  /** A file of what is drawn. */
  exports(subject: Subject): { ending: string; text: string };
  /** Of a view that draws a pattern: whether these numbers have one. */
  tells?(subject: Subject): boolean;
}

/** Rows and columns of a subject: two axes run, every other one is held still. */
export function planeOf({ tensor, typed, held }: Subject,
  axes: readonly [number, number] = runningAxes(typed, tensor.shape)): Plane {
  return new Plane(tensor, axes[0], axes[1],
    tensor.shape.map((size, axis) => (axes.includes(axis) ? 0 : Math.min(size - 1, held[axis] ?? 0))));
}

export const nameAt = (subject: Subject, axis: number, at: number): string =>
  subject.labels(axis)?.[at] ?? String(at + 1);

/** The numbers of one row of a plane. */
export const rowOf = (plane: Plane, row: number): number[] =>
  Array.from({ length: plane.cols }, (_, col) => plane.at(row, col));

/** The scale of colours that belongs to the numbers. */
export const scaleOf = (typed: Typed): Kind =>
  (typed.kind === 'signed' ? 'signed' : isLight(typed) ? 'light' : 'weights');

/** A number as it is written beside a mark of this kind. */
export const written = (value: number, { kind }: Pick<Typed, 'kind'>): string =>
  (!Number.isFinite(value) ? digits(value, 1)
    : kind === 'probability' || kind === 'signed' ? inCell(value, kind === 'probability')
    : String(Math.round(value)));

/** Where the largest number stands; what is no number is not asked. */
export const largestAt = (values: readonly number[]): number =>
  values.reduce((best, value, k) => (value > values[best]! || Number.isNaN(values[best]) ? k : best), 0);

/** The largest finite number, and no less than the least above zero: what heights are divided by. */
export const mostOf = (values: readonly number[]): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, value) : most), Number.MIN_VALUE);

/** What is drawn as rows of a file, with the names of rows and columns. */
export function csv(subject: Subject, plane = planeOf(subject)): { ending: string; text: string } {
  return { ending: 'csv', text: planeCsv(plane, (row) => nameAt(subject, plane.rowAxis, row),
    (col) => nameAt(subject, plane.colAxis, col)) };
}
