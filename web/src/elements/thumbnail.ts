// SPDX-License-Identifier: Apache-2.0
import { type Domain, domainOf, type Kind } from '../colour/scale.ts';
import { matrixOf, MAP } from './tensor.ts';
import { type Plane, plane, type Result, type Tensor } from '../engine/result.ts';
import { kindOf } from '../directory/naming.ts';
import { maskOf, weightsOf } from '../directory/modules.ts';

/** A matrix in a few bytes: each cell a level of the domain, or masked. */
export interface Thumbnail {
  rows: number;
  cols: number;
  kind: Kind;
  domain: Domain;
  /** Base64, a byte a cell, row by row. */
  cells: string;
}

const MASKED = 255;
const TOP = 254;
const MOST = 16;

/** What stands for a whole computation: its weights, or else the last thing that it gives. */
const main = (result: Result): Tensor | undefined => weightsOf(result) ?? result.all('outputs').at(-1);

/** Of axes that are held still the first place is drawn, or the chosen one. */
export function draw(result: Result, chosen: Readonly<Record<string, number>> = {}): Thumbnail | undefined {
  const tensor = main(result);
  return tensor && mapThumbnail(result, tensor, chosen);
}

/** A picture of one map. */
export function mapThumbnail(result: Result, tensor: Tensor, chosen: Readonly<Record<string, number>> = {}): Thumbnail {
  const shown = plane(tensor, chosen);
  const mask = maskOf(result, tensor);
  const over = mask && plane(mask, chosen);
  const hides = over?.rows === shown.rows && over.cols === shown.cols ? over : undefined;
  const kind = kindOf(tensor);
  const domain = domainOf(tensor.data, kind);
  const [rows, cols] = [Math.min(MOST, shown.rows), Math.min(MOST, shown.cols)];
  const levels = Array.from({ length: rows * cols }, (_, k) => {
    const [i, j] = [Math.floor(k / cols), k % cols];
    return hides?.at(i, j) === 0 ? MASKED : level(shown.at(i, j), domain);
  });
  return { rows, cols, kind, domain, cells: btoa(String.fromCharCode(...levels)) };
}

// What is not 0 may not become 0: an exact zero is drawn differently.
function level(value: number, [low, high]: Domain): number {
  const at = Math.round((TOP * (value - low)) / (high - low));
  return low === 0 && value !== 0 ? Math.max(1, at) : at;
}

/** A thumbnail as it is drawn: its numbers, and 0 where one is masked. */
export interface Cells {
  plane: Plane;
  mask: Plane;
}

const known = new WeakMap<Thumbnail, Cells>();

/** The numbers of a thumbnail, which are read once. */
export function read(picture: Thumbnail): Cells {
  let found = known.get(picture);
  if (!found) {
    const { rows, cols, kind, domain: [low, high], cells } = picture;
    const levels = Uint8Array.from(atob(cells), (c) => c.charCodeAt(0));
    const types = kind === 'weights' ? { ...MAP, dimensions: [...MAP.dimensions] } : {};
    found = { plane: matrixOf(Float32Array.from(levels, (at) => (at === MASKED ? 0 : low + (at / TOP) * (high - low))),
      rows, cols, types),
      mask: matrixOf(Float32Array.from(levels, (at) => (at === MASKED ? 0 : 1)), rows, cols) };
    known.set(picture, found);
  }
  return found;
}
