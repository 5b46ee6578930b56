// SPDX-License-Identifier: Apache-2.0
// What can be laid over an image: rows and columns of maps whose queries or keys are places of it, and results that
// have its height and width.
import { maximum } from '../lists.ts';
import { axisOf, isMap, timeOf, typed } from '../directory/typed.ts';
import { flat, Plane, plane, type Result, sameNumbers, type Tensor, valueAt } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import { type Grid, Grids } from './grid.ts';
import type { Book } from '../state/catalogue.ts';

/** Numbers by the places of an image. */
export interface Shares {
  rows: number;
  cols: number;
  at: (row: number, col: number) => number;
}

export interface Overlay {
  id: string;
  tensor: Tensor;
  input: string;
  /** Of a map: which of its sides runs over the image. */
  query?: Grid | undefined;
  key?: Grid | undefined;
  /** The one row whose keys are places of this image, where each row of the map looks at an image of its own. */
  row?: number | undefined;
  /** Its keys are areas of the image, [top, left, bottom, right) each. */
  areas?: Tensor | undefined;
  /** The other half, where height and width are seen by filters apart. */
  across?: Tensor | undefined;
}

export type Chosen = Readonly<Record<string, number>>;

const both = (tensor: Tensor): boolean => axisOf(typed(tensor), 'height') >= 0 && axisOf(typed(tensor), 'width') >= 0;

function asMap(tensor: Tensor, grids: Grids, result: Result): Overlay | Overlay[] | undefined {
  if (tensor.kind !== 'probability' || !isMap(tensor)) return undefined;
  const types = typed(tensor);
  const [down, across] = [axisOf(types, 'query'), axisOf(types, 'key')];
  const each = timeOf(types) === down ? grids.each(tensor, across) : [];
  if (each.length > 1 && each.length === tensor.shape[down])
    return each.map((key, row): Overlay => ({ id: tensor.name, tensor, input: key.input, key, row }));
  const [query, key] = [grids.along(tensor, down), grids.along(tensor, across)];
  const input = key?.input ?? query?.input;
  if (input !== undefined) return { id: tensor.name, tensor, input, query, key };
  const image = grids.imageOf(tensor.within ?? '');
  const areas = image !== undefined
    && result.all('outputs').find((other) =>
    other.within === tensor.within && other.kind === 'index' && other.shape.length === 2
    && other.shape[0] === tensor.shape[across] && other.shape[1] === 4 && axisOf(typed(other), 'key') === 0);
  return image !== undefined && areas ? { id: tensor.name, tensor, input: image, areas } : undefined;
}

function asPicture(tensor: Tensor, grids: Grids): Overlay | undefined {
  const input = tensor.kind !== 'signed' && both(tensor) ? grids.imageOf(tensor.within ?? '') : undefined;
  return input === undefined ? undefined : { id: tensor.name, tensor, input };
}

// Filters down and filters across, one a row each: together they are a window.
function asWindow(tensor: Tensor, grids: Grids, result: Result): Overlay | undefined {
  const down = (one: Tensor, role: 'height' | 'width') => one.shape.length === 2 && axisOf(typed(one), role) === 1;
  if (!down(tensor, 'height')) return undefined;
  const across = result.all('outputs')
    .find((one) => one.within === tensor.within && down(one, 'width') && one.shape[0] === tensor.shape[0]);
  const input = grids.imageOf(tensor.within ?? '');
  return across && input !== undefined ? { id: tensor.name, tensor, input, across } : undefined;
}

/** All that can be laid over the document's images, in the order of computation. */
export function overlaysOf(book: Book, result: Result): Overlay[] {
  const grids = new Grids(book, result);
  const outputs = result.all('outputs');
  // Of several names of the same numbers the outermost module's.
  const depth = ({ within = '' }: Tensor) => (within === '' ? 0 : within.split('.').length);
  const first = outputs.filter((one, k) =>
    !outputs.some((other, at) =>
    sameNumbers(one, other) && (depth(other) < depth(one) || (depth(other) === depth(one) && at < k))));
  return first.flatMap((tensor) => asMap(tensor, grids, result) ?? asPicture(tensor, grids)
    ?? asWindow(tensor, grids, result) ?? []);
}

/** The cells of one row (or column) of a map, laid out as the image: they stay cells of the map. */
export class GridPlane extends Plane {
  constructor(tensor: Tensor, private readonly grid: Grid, private readonly along: number, fixed: number[]) {
    super(tensor, along, along, fixed.with(along, 0));
    const stride = tensor.shape.slice(along + 1).reduce((a, b) => a * b, 1);
    Object.assign(this, { rows: grid.rows, cols: grid.cols, start: flat(tensor.shape, this.index(0, 0)),
      down: grid.cols * stride, across: stride });
  }

  override index(row: number, col: number): number[] {
    // Called by the constructor above before the grid is known.
    return this.grid ? this.held.with(this.along, this.grid.extra + row * this.grid.cols + col) : [...this.held];
  }

  override cell(index: number[]): [number, number] | undefined {
    if (index.some((at, axis) => axis !== this.along && at !== this.held[axis])) return undefined;
    const at = (index[this.along] ?? 0) - this.grid.extra;
    return at < 0 ? undefined : [Math.floor(at / this.grid.cols), at % this.grid.cols];
  }

  // Neither its rows nor its columns are the map's own.
  override axis(): undefined {
    return undefined;
  }
}

/** The places that a map's other axes are held at. */
const heldOf = (tensor: Tensor, chosen: Chosen): number[] =>
  tensor.shape.map((size, k) => Math.min(chosen[tensor.places[k] ?? ''] ?? 0, size - 1));

/** Row `at` of a map over the image; or its column, where what asks is the image. */
export function lineOf({ tensor, query, key }: Overlay, side: 'row' | 'column', at: number,
  chosen: Chosen): GridPlane | undefined {
  const types = typed(tensor);
  const [down, across] = [axisOf(types, 'query'), axisOf(types, 'key')];
  const [grid, along, other] = side === 'row' ? [key, across, down] : [query, down, across];
  return grid && new GridPlane(tensor, grid, along, heldOf(tensor, chosen).with(other, at));
}

const sizeOf = (tensor: Tensor, role: 'query' | 'key'): number => tensor.shape[axisOf(typed(tensor), role)] ?? 1;

function average(lines: Shares[]): Shares | undefined {
  const [first] = lines;
  return first && { rows: first.rows, cols: first.cols,
    at: (row, col) => lines.reduce((sum, one) => sum + one.at(row, col), 0) / lines.length };
}

// Of areas each gives its weight to all of its places evenly.
function spread({ tensor, areas }: Overlay, row: number, chosen: Chosen, [rows, cols]: number[]): Shares {
  const types = typed(tensor);
  const index = heldOf(tensor, chosen).with(axisOf(types, 'query'), row);
  const sums = new Float64Array(rows! * cols!);
  for (let k = 0; k < areas!.shape[0]!; k++) {
    const [top, left, bottom, right] = areas!.data.subarray(k * 4, k * 4 + 4);
    const part = valueAt(tensor, index.with(axisOf(types, 'key'), k)) / ((bottom! - top!) * (right! - left!));
    for (let i = top!; i < bottom!; i++) for (let j = left!; j < right!; j++) sums[i * cols! + j]! += part;
  }
  return { rows: rows!, cols: cols!, at: (i, j) => sums[i * cols! + j]! };
}

function windowOf(down: Tensor, across: Tensor): Shares {
  const [count, rows] = down.shape as [number, number];
  const cols = across.shape[1]!;
  const sum = (tensor: Tensor, size: number, at: number) =>
    Array.from({ length: count }, (_, k) => tensor.data[k * size + at]!).reduce((a, b) => a + b, 0);
  const [y, x] = [Array.from({ length: rows }, (_, i) => sum(down, rows, i)),
    Array.from({ length: cols }, (_, j) => sum(across, cols, j))];
  return { rows, cols, at: (i, j) => y[i]! * x[j]! };
}

/** What is laid over the image: of one row or column, or of all rows together where none is chosen. */
export function sharesOf(overlay: Overlay, side: 'row' | 'column', at: number | undefined, chosen: Chosen,
  shape: number[]): Shares | undefined {
  const { tensor, areas, across } = overlay;
  if (across) return windowOf(tensor, across);
  if (!isMap(tensor)) return plane(tensor, chosen);
  const count = sizeOf(tensor, side === 'row' ? 'query' : 'key');
  const one = (k: number) => (areas ? spread(overlay, k, chosen, shape) : lineOf(overlay, side, k, chosen));
  const lines = (at === undefined ? Array.from({ length: count }, (_, k) => k) : [Math.min(at, count - 1)]).map(one);
  return average(lines.filter((line) => line !== undefined));
}

/** The largest share and where it lies. */
export function largest(shares: Shares): { row: number; col: number; value: number } {
  const { rows, cols } = shares;
  let best = { row: 0, col: 0, value: -Infinity };
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++)
    if (shares.at(row, col) > best.value) best = { row, col, value: shares.at(row, col) };
  return best;
}

// Apart by less than this share of the largest, all are alike.
const ALIKE = 1e-5;

/** Whether no place has more than another. */
export function allAlike(shares: Shares): boolean {
  const most = largest(shares).value;
  for (let row = 0; row < shares.rows; row++)
    for (let col = 0; col < shares.cols; col++) if (most - shares.at(row, col) > ALIKE * most) return false;
  return true;
}

/** Where the middle of all weight lies, in shares of height and width; undefined where there is none. */
export function centre(shares: Shares): { x: number; y: number } | undefined {
  const { rows, cols } = shares;
  let [sum, x, y] = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const part = Math.max(0, shares.at(row, col));
      sum += part;
      x += part * (col + 0.5);
      y += part * (row + 0.5);
    }
  }
  return sum > 0 ? { x: x / sum / cols, y: y / sum / rows } : undefined;
}

/**
 * The cell of a map to point at for a place of the image, in its row or column or, where none is chosen, at what it
 * looks at most.
 */
export function cellFor(overlay: Overlay, side: 'row' | 'column', place: number, other: number | undefined,
  chosen: Chosen): Target {
  const { tensor } = overlay;
  const types = typed(tensor);
  const [down, across] = [axisOf(types, 'query'), axisOf(types, 'key')];
  const [mine, theirs] = side === 'row' ? [down, across] : [across, down];
  const index = heldOf(tensor, chosen).with(mine, place);
  const best = (): number => {
    const values = Array.from({ length: tensor.shape[theirs] ?? 1 }, (_, k) => valueAt(tensor, index.with(theirs, k)));
    return values.indexOf(maximum(values));
  };
  return { group: tensor.group, tensor: tensor.name, index: index.with(theirs, other ?? best()) };
}

/** Shares as a picture that only shows: they are no cells of one tensor. */
export function stillOf(shares: Shares): Plane {
  const { rows, cols } = shares;
  const data = Float32Array.from({ length: rows * cols }, (_, k) => shares.at(Math.floor(k / cols), k % cols));
  return plane({ group: 'outputs', name: '', shape: [rows, cols], axes: ['', ''], places: ['', ''], offset: 0, data,
    kind: 'probability', role: 'weights', dimensions: [{ role: 'height' }, { role: 'width' }] }, {});
}
