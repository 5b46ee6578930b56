// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { formulaWriter } from '../directory/formulas.ts';
import { type Headed, indexFor, joinHeads } from '../directory/heads.ts';
import { rootOf } from '../directory/outcome.ts';
import { numberedAt, placesOf } from '../directory/places.ts';
import { shownWord } from '../strings/displayed-word.ts';
import { runningAxes, typed } from '../directory/typed.ts';
import { isObject } from './pointer.ts';
import type { Directory, Group, Target, TensorEntry } from './types.ts';

export interface Tensor extends TensorEntry {
  data: Float32Array;
  /** What each axis' places are called; empty where nobody says. */
  places: string[];
  /** Of a gradient, the tensor that it is a gradient to. */
  of?: Tensor;
  /** And what it is the gradient of. */
  outcome?: Tensor;
  heads?: Headed['heads'];
  maps?: Headed['maps'];
  readers?: Headed['readers'];
  /** Of an input, that it is the only one. */
  alone?: true;
  /** Only this row of a large map is here (index of the axis before the last); shape and cells are the map's own. */
  row?: number;
}

/** An output whose numbers are not here. */
export type LeftOut = Omit<TensorEntry, 'offset'> & Pick<Tensor, 'places' | 'heads' | 'maps' | 'readers'>;

/** One computed answer: the directory with a view of each tensor's numbers. */
export class Result {
  readonly tensors: Tensor[];
  /** Outputs that there are, and whose numbers are not here. */
  readonly left: readonly LeftOut[];
  private readonly words = new Map<string, readonly string[]>();
  private readonly shown = new Map<string, string[]>();
  private readonly byName = new Map<string, Tensor>();
  private readonly groups = new Map<Group, Tensor[]>();
  private readonly asked = signal<readonly Tensor[]>([]);
  private written: string | undefined;
  private indices: ReadonlyMap<string, number> | undefined;

  constructor(
    readonly directory: Directory,
    /** All in one array, or those of each tensor. */
    data: Float32Array | readonly Float32Array[],
  ) {
    const numbers = ({ shape, offset }: TensorEntry, k: number): Float32Array => (Array.isArray(data) ? data[k]!
      : (data as Float32Array).subarray(offset, offset + shape.reduce((a, b) => a * b, 1)));
    this.tensors = directory.tensors.map((entry, k) =>
      ({ ...entry, places: placesOf(entry, directory, this.words), data: numbers(entry, k) }));
    for (const tensor of this.tensors) {
      const group = this.groups.get(tensor.group);
      if (group) group.push(tensor);
      else this.groups.set(tensor.group, [tensor]);
    }
    const inputs = this.all('inputs');
    if (inputs.length === 1) inputs[0]!.alone = true;
    const write = formulaWriter(directory.tensors);
    for (const tensor of this.tensors) tensor.formula &&= write(tensor);
    this.left = (directory.left ?? []).map((entry) => ({ ...entry, places: placesOf(entry, directory, this.words) }));
    joinHeads([...this.tensors, ...this.left]);
    for (const tensor of this.tensors)
      if (!this.byName.has(`${tensor.group} ${tensor.name}`)) this.byName.set(`${tensor.group} ${tensor.name}`, tensor);
    // A slope has the shape of what it is a slope to, and so its axes.
    const outcome = this.all('gradients').length > 0 ? this.outcome() : undefined;
    for (const slope of this.all('gradients')) {
      const of = this.tensors.find((t) => t.group !== 'gradients' && slopeName(t) === slope.name);
      if (of) Object.assign(slope, { of, ...(outcome ? { outcome } : {}), axes: of.axes,
        places: of.places, heads: of.heads, maps: of.maps,
        ...(of.dimensions ? { dimensions: of.dimensions } : {}) });
    }
  }

  /** What gradients are of. */
  outcome(): Tensor | undefined {
    const given = this.directory.document['gradient'];
    const name = isObject(given) && typeof given['of'] === 'string' ? given['of'] : undefined;
    return name === undefined ? rootOf(this) : this.whole(name, 'outputs');
  }

  /** Takes over the arrays of an earlier result whose numbers are the same: views need not draw them anew. */
  keep(earlier: Result): this {
    for (const tensor of this.tensors) {
      if (tensor.group === 'steps') continue;
      const old = earlier.whole(tensor.name, tensor.group);
      if (old?.shape.join() === tensor.shape.join() && alike(old.data, tensor.data)) tensor.data = old.data;
    }
    // Until they are asked for anew: with those that fit no more.
    this.asked.value = earlier.asked.peek()
      .filter((old) => this.left.some((entry) => entry.name === old.name && entry.shape.join() === old.shape.join()));
    return this;
  }

  /** Of maps that were left out the rows that were asked for since. */
  get rows(): readonly Tensor[] {
    return this.asked.value;
  }

  /** Takes rows of these maps in place of those that were here. */
  add(maps: ReadonlySet<string>, rows: Tensor[]): void {
    this.asked.value = [...this.asked.peek().filter(({ name }) => !maps.has(name)), ...rows];
  }

  find(name: string, group?: Group): Tensor | undefined {
    return this.whole(name, group) ?? this.rows.find((t) => t.name === name && (!group || t.group === group));
  }

  /** One whose numbers are all here. */
  whole(name: string, group?: Group): Tensor | undefined {
    return group ? this.byName.get(`${group} ${name}`) : this.tensors.find((t) => t.name === name);
  }

  /** The document of these numbers, written once for all that is asked about them. */
  get text(): string {
    return (this.written ??= JSON.stringify(this.directory.document));
  }

  all(group: Group): readonly Tensor[] {
    return this.groups.get(group) ?? [];
  }

  /** The index by which the `from` of other tensors names this one; -1 if there is none. */
  indexOf({ name, group }: Pick<TensorEntry, 'name' | 'group'>): number {
    // From the last to the first: of equal names the first one counts.
    this.indices ??= new Map(this.directory.tensors.map((entry, k): [string, number] =>
      [`${entry.group} ${entry.name}`, k]).toReversed());
    return this.indices.get(`${group} ${name}`) ?? -1;
  }

  /** The tensor at an index of `from`: behind those whose numbers are here come those that were left out. */
  entryAt(index: number): Tensor | LeftOut | undefined {
    return this.tensors[index] ?? this.left[index - this.tensors.length];
  }

  /** Whether anything was computed from these numbers. Of words that a model looks up itself nothing is. */
  reads(tensor: Pick<TensorEntry, 'name' | 'group'>): boolean {
    const { tensors, left } = this.directory;
    const at = this.indexOf(tensor);
    const all = [...tensors, ...(left ?? [])];
    return !all.some(({ from }) => from) || all.some(({ from }) => from?.includes(at));
  }

  /** What is computed grows by this when a cell of the tensor does, where that was asked for. */
  slope(tensor: TensorEntry): Tensor | undefined {
    return this.find(slopeName(tensor), 'gradients');
  }

  /** The words along an axis whose places have this name, as they are. */
  tokens(place: string): readonly string[] | undefined {
    return this.words.get(place) ?? numberedAt(place);
  }

  /** The same as they are shown. */
  labels(place: string): string[] | undefined {
    const known = this.shown.get(place);
    if (known) return known;
    const words = this.tokens(place)?.map(shownWord);
    // Numbered places are named in the language of now.
    if (words && this.words.has(place)) this.shown.set(place, words);
    return words;
  }

  /** Whether there is such a cell. */
  has({ tensor: name, group, index }: Target): boolean {
    const tensor = this.find(name, group);
    return !!tensor && tensor.shape.length === index.length
      && tensor.shape.every((size, k) => (index[k] ?? size) < size);
  }

  numberAt(target: Target): number | undefined {
    const tensor = this.has(target) ? this.find(target.tensor, target.group) : undefined;
    const value = tensor && valueAt(tensor, target.index);
    // Of a large map only a row is here, maybe another.
    return tensor?.row !== undefined && Number.isNaN(value) ? undefined : value;
  }
}

function alike(one: Float32Array, other: Float32Array): boolean {
  if (one === other) return true;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}

/** The name in the group of gradients of the one to this tensor. */
export function slopeName({ group, name }: Pick<TensorEntry, 'group' | 'name'>): string {
  return group === 'parameters' ? name : `${group}.${name}`;
}

/** Whether two tensors are names of the same numbers: a module may give those of another that it calls a second one. */
export const sameNumbers = (one: Pick<TensorEntry, 'offset' | 'shape'>, other: Pick<TensorEntry,
  'offset' | 'shape'>): boolean => one.offset === other.offset && one.shape.join() === other.shape.join();

/** What two tensors have in common that are names of the same numbers. */
export const numbersOf = ({ offset, shape }: Pick<TensorEntry, 'offset' | 'shape'>): string =>
  `${offset} ${shape.join()}`;

/** The first tensor of each set of numbers; `seen`: numbers that are there already. */
export function distinct(tensors: readonly Tensor[], seen: ReadonlySet<string> = new Set()): Tensor[] {
  const met = new Set(seen);
  return tensors.filter((tensor) => {
    const key = numbersOf(tensor);
    return met.has(key) ? false : Boolean(met.add(key));
  });
}

export function flat(shape: number[], index: number[]): number {
  return shape.reduce((at, size, k) => at * size + (index[k] ?? 0), 0);
}

export function valueAt(tensor: Tensor, index: number[]): number {
  if (tensor.row !== undefined) return index.at(-2) === tensor.row
    ? (tensor.data[flat(rowShape(tensor), index.with(-2, 0))] ?? Number.NaN) : Number.NaN;
  return tensor.data[flat(tensor.shape, index)] ?? Number.NaN;
}

/** The shape of the numbers that are here: of a large map, of its row. */
export const rowShape = ({ shape, row }: Tensor): number[] => (row === undefined ? shape : shape.with(-2, 1));

/** The matrix that is shown of a tensor: two axes run, every other axis is held. */
export class Plane {
  readonly rows: number;
  readonly cols: number;
  /** Where the plane's numbers lie in the tensor's data. */
  readonly start: number;
  readonly down: number;
  readonly across: number;

  constructor(
    readonly tensor: Tensor,
    readonly rowAxis: number,
    readonly colAxis: number,
    readonly held: number[],
  ) {
    // Of what holds no number, whichever axis is empty, there is no row.
    this.rows = tensor.shape.includes(0) ? 0 : rowAxis < 0 ? 1 : (tensor.shape[rowAxis] ?? 1);
    this.cols = colAxis < 0 ? 1 : (tensor.shape[colAxis] ?? 1);
    const stride = (axis: number) => (axis < 0 ? 0 : tensor.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    this.start = flat(tensor.shape, this.index(0, 0));
    this.down = stride(rowAxis);
    this.across = stride(colAxis);
  }

  index(row: number, col: number): number[] {
    const index = [...this.held];
    if (this.rowAxis >= 0) index[this.rowAxis] = row;
    if (this.colAxis >= 0) index[this.colAxis] = col;
    return index;
  }

  at(row: number, col: number): number {
    return this.tensor.data[this.start + row * this.down + col * this.across] ?? Number.NaN;
  }

  /** Where a cell of the tensor lies in this plane, or undefined when it lies in another. */
  cell(index: number[]): [number, number] | undefined {
    for (let k = 0; k < index.length; k++)
      if (k !== this.rowAxis && k !== this.colAxis && index[k] !== this.held[k]) return undefined;
    return [index[this.rowAxis] ?? 0, index[this.colAxis] ?? 0];
  }

  axis(which: 'row' | 'col'): string | undefined {
    return this.tensor.places[which === 'row' ? this.rowAxis : this.colAxis];
  }
}

/** The axes that a picture of this tensor holds still, for instance heads or features. */
export function heldAxes(tensor: Tensor): number[] {
  const [row, col] = runningAxes(typed(tensor), tensor.shape);
  return tensor.shape.map((_, k) => k).filter((k) => k !== row && k !== col);
}

/** Whether two planes show the same numbers of the same tensor; new results give new planes. */
export function samePlane(one: Plane | undefined, other: Plane | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  const [a, b] = [one.tensor, other.tensor];
  return a.data === b.data && a.name === b.name && a.group === b.group && a.role === b.role && a.kind === b.kind
    && a.shape.join() === b.shape.join() && one.rowAxis === other.rowAxis && one.colAxis === other.colAxis
    && one.held.join() === other.held.join();
}

export function plane(tensor: Tensor, chosen: Record<string, number>): Plane {
  const [row, col] = runningAxes(typed(tensor), tensor.shape);
  const held = tensor.shape.map((size, k) => {
    const wanted = k === row || k === col ? 0 : indexFor(tensor, k, chosen);
    return Math.min(wanted, size - 1);
  });
  return new Plane(tensor, row, col, held);
}
