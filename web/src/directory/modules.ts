// SPDX-License-Identifier: Apache-2.0
import { append } from '../lists.ts';
import { distinct, numbersOf, type Result, sameNumbers, type Tensor } from '../engine/result.ts';
import { axisOf, isMap, typed } from './typed.ts';

/** One attention of the picture: what stands at each place of its geometry. */
export interface Module {
  name: string;
  query?: Tensor;
  key?: Tensor;
  value?: Tensor;
  scores?: Tensor;
  mask?: Tensor;
  weights?: Tensor;
  context?: Tensor;
}

type Place = Exclude<keyof Module, 'name'>;

export interface Arranged {
  modules: Module[];
  /** Outputs that have no place in a geometry, in order. */
  others: Tensor[];
}

const PLACES: readonly Place[] = ['query', 'key', 'value', 'scores', 'mask', 'weights', 'context'];
const MAPS: ReadonlySet<Place> = new Set(['scores', 'mask', 'weights']);

/** The place that a tensor's role and axes fit; none for what only has such a role, such as a gate. */
function placeOf(tensor: Tensor): Place | undefined {
  const place = PLACES.find((one) => one === tensor.role);
  return place && (MAPS.has(place) ? isMap(tensor) : tensor.shape.length > 1) ? place : undefined;
}

// What two ways to compute the same numbers leave between them in single precision.
const ROUNDING = 1e-5;

/** Whether two maps have the same numbers and one is made of the other, or both of the same, as a core's are. */
function sameMap(result: Result, one: Tensor, other: Tensor): boolean {
  const maps = [one, other].every((map) => map.role === 'weights' && isMap(map) && map.data.length > 0);
  if (!maps || one.shape.join() !== other.shape.join()) return false;
  const madeOf = (made: Tensor, from: Tensor) => made.from?.join() === String(result.indexOf(from));
  return (madeOf(one, other) || madeOf(other, one) || one.from?.join() === other.from?.join())
    && one.data.every((value, k) => Math.abs(value - other.data[k]!) <= ROUNDING * Math.max(1, Math.abs(value)));
}

const byHead = (tensor: Tensor): number => (axisOf(typed(tensor), 'head') >= 0 ? 1 : 0);
// Of two for one place: the context of each head before what they are merged into, else what was made last.
const rank = (tensor: Tensor): [number, number] => [tensor.role === 'context' ? byHead(tensor) : 0, tensor.step ?? 0];

function later(one: Tensor, other: Tensor, same: boolean): boolean {
  // Weights that are shares say more than the same map without that promise.
  if (same && one.kind !== other.kind) return one.kind === 'probability';
  const [a, b] = [rank(one), rank(other)];
  return a[0] === b[0] ? a[1] >= b[1] : a[0] > b[0];
}

const arranged = new WeakMap<Result, Arranged>();

/** Where each tensor of a result stands: found once for a result. */
export function arrange(result: Result): Arranged {
  let found = arranged.get(result);
  if (!found) arranged.set(result, found = sort(result));
  return found;
}

function sort(result: Result): Arranged {
  const byName = new Map<string, Module>();
  const others: Tensor[] = [];
  const outputs = result.all('outputs');
  for (const tensor of outputs) {
    const place = placeOf(tensor);
    if (!place) {
      others.push(tensor);
      continue;
    }
    const name = tensor.within ?? '';
    const module = byName.get(name) ?? { name };
    byName.set(name, module);
    const before = module[place];
    const same = before !== undefined && sameMap(result, before, tensor);
    if (before && !later(tensor, before, same)) {
      if (!same) others.push(tensor);
    } else {
      if (before && !same && !sameNumbers(before, tensor)) others.push(before);
      module[place] = tensor;
    }
  }
  const all = [...byName.values()];
  for (const module of all) pair(module, others);
  const shows = (m: Module): boolean => (m.scores ?? m.weights ?? m.context) !== undefined;
  const modules = all.filter(shows);
  // Queries, keys and a mask that stand alone belong to the first module that lacks them.
  for (const part of all) {
    if (shows(part)) continue;
    const host = modules[0];
    if (!host) append(others, tensorsOf(part));
    else for (const place of ['query', 'key', 'value', 'mask'] as const) host[place] ??= part[place];
  }
  return { modules, others: unseen(others, modules) };
}

// Scores, and the weights made of them, have one shape: where a module has weights of another shape, too, such as
// those of a whole text over its sentences, these stand beside the picture.
function pair(module: Module, others: Tensor[]): void {
  const { name, scores, weights } = module;
  if (!scores || !weights || scores.shape.join() === weights.shape.join()) return;
  const at = others.findIndex((one) => one.role === 'weights' && (one.within ?? '') === name && isMap(one)
    && one.shape.join() === scores.shape.join());
  if (at >= 0) [module.weights, others[at]] = [others[at]!, weights];
}

// A structure may give one module's results a second name: those numbers are shown already.
function unseen(others: Tensor[], modules: Module[]): Tensor[] {
  const placed = new Set(modules.flatMap(tensorsOf).map(numbersOf));
  return distinct(others.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0)), placed);
}

export function tensorsOf(module: Module): Tensor[] {
  return PLACES.map((place) => module[place]).filter((tensor) => tensor !== undefined);
}

/**
 * The weights that stand for a whole computation: those of the module of this name or inside it, else of the one around
 * all others, else of the first.
 */
export function weightsOf(result: Result, chosen?: string): Tensor | undefined {
  const all = arrange(result).modules.filter((module) => module.weights);
  const own = chosen === undefined ? undefined : all.find(({ name }) => name === chosen)
    ?? all.find(({ name }) => name.startsWith(`${chosen}.`));
  return (own ?? all.find(({ name }) => name === '') ?? all[0])?.weights;
}

/** The mask that stands beside these weights, or these scores. */
export const maskOf = (result: Result, { name }: Tensor): Tensor | undefined =>
  arrange(result).modules.find(({ weights, scores }) => weights?.name === name || scores?.name === name)?.mask;
