// SPDX-License-Identifier: Apache-2.0
// What happens one after the other: the steps of a decoder, or the hops of a question that is asked again.
import { maximum } from '../lists.ts';
import { axisOf, isMap, timeOf, typed } from './typed.ts';
import { distinct, numbersOf, Plane, type Result, sameNumbers, type Tensor } from '../engine/result.ts';
import type { Target, TensorRole } from '../engine/types.ts';

export interface Step {
  /** One row of weights over the keys. */
  weights: Plane;
  /** What was asked with, and what was found, one row each. */
  beside: Plane[];
}

export interface Course {
  kind: 'time' | 'hops';
  /** The map whose rows are steps, or the maps of the hops in their order. */
  maps: Tensor[];
  steps: Step[];
}

type Chosen = Readonly<Record<string, number>>;
/** What stands beside the weights of a step, in this order. */
const BESIDE: readonly TensorRole[] = ['query', 'state', 'context'];
const MOST = 64;

// A map from keys to keys has no questions that could follow one another.
const isWeights = (tensor: Tensor): boolean =>
  tensor.group === 'outputs' && tensor.role === 'weights' && tensor.kind === 'probability' && isMap(tensor)
    && axisOf(typed(tensor), 'query') >= 0;
const heldOf = (tensor: Tensor, chosen: Chosen): number[] =>
  tensor.shape.map((size, k) => Math.min(chosen[tensor.places[k] ?? ''] ?? 0, size - 1));

const rowOf = (tensor: Tensor, axis: number, at: number, along: number, chosen: Chosen): Plane =>
  new Plane(tensor, -1, along, heldOf(tensor, chosen).with(axis, Math.min(at, tensor.shape[axis]! - 1)).with(along, 0));

/** Whether the rows of a map are steps in time. */
export const runsInTime = (tensor: Pick<Tensor, 'dimensions'>): boolean =>
  tensor.dimensions?.some(({ role, time }) => role === 'query' && time === true) ?? false;

function inTime(map: Tensor, result: Result, chosen: Chosen): Course | undefined {
  const types = typed(map);
  const [down, across] = [axisOf(types, 'query'), axisOf(types, 'key')];
  const count = map.shape[down] ?? 0;
  if (down < 0 || across < 0 || timeOf(types) !== down || count < 2 || count > MOST) return undefined;
  const beside = BESIDE.flatMap((role) =>
    result.all('outputs').filter((one) =>
    one.within === map.within && one.role === role && one.shape.length === 2 && timeOf(typed(one)) === 0
    && one.shape[0] === count).slice(0, 1));
  const steps = Array.from({ length: count },
    (_, at) => ({ weights: rowOf(map, down, at, across, chosen),
    beside: beside.map((one) => rowOf(one, 0, at, 1, chosen)) }));
  return { kind: 'time', maps: [map], steps };
}

type Wires = Map<string, string[]>;
interface Ways { before: Wires; after: Wires }
const ways = new WeakMap<Result, Ways>();

/** Which modules each one reads, and which read it: found once for a result. */
function waysOf(result: Result): Ways {
  const known = ways.get(result);
  if (known) return known;
  const found: Ways = { before: new Map(), after: new Map() };
  for (const { name, inputs } of result.directory.modules ?? []) {
    const sources = Object.values(inputs ?? {}).map((source) => source.split('.')[0]!);
    found.before.set(name, sources);
    for (const source of sources) {
      const readers = found.after.get(source);
      if (readers) readers.push(name);
      else found.after.set(source, [name]);
    }
  }
  ways.set(result, found);
  return found;
}

/** All modules that can be come to from this one. */
function reachedBy(wires: Wires, start: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(wires.get(start) ?? [])];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const one of wires.get(name) ?? []) next.push(one);
  }
  return reached;
}

const lookOf = (map: Tensor): string =>
  [map.shape, map.places, map.axes].map((list) => list.join()).join('\n');
const keyOf = (look: string, within: string | undefined): string => `${look}\n${within ?? ''}`;
const weightsBy = new WeakMap<Result, Map<string, { map: Tensor; at: number }[]>>();

/** The weights of a result by their look and the module whose they are: found once. */
function weightsOf(result: Result): Map<string, { map: Tensor; at: number }[]> {
  const known = weightsBy.get(result);
  if (known) return known;
  const found = new Map<string, { map: Tensor; at: number }[]>();
  result.all('outputs').forEach((map, at) => {
    if (!isWeights(map)) return;
    const key = keyOf(lookOf(map), map.within);
    const alike = found.get(key);
    if (alike) alike.push({ map, at });
    else found.set(key, [{ map, at }]);
  });
  weightsBy.set(result, found);
  return found;
}

/** Maps over the same keys that one module makes one after the other, or modules that ask again. */
function hopsOf(map: Tensor, result: Result): Tensor[] {
  const look = lookOf(map);
  // One question that one module asks, and then another that has read the first one's answer.
  const { before, after } = waysOf(result);
  const modules = new Set([map.within ?? '']);
  if (map.shape[axisOf(typed(map), 'query')] === 1) for (const wires of [before, after])
    for (const name of reachedBy(wires, map.within ?? '')) modules.add(name);
  const alike = [...modules].flatMap((name) => weightsOf(result).get(keyOf(look, name)) ?? []);
  const maps = distinct(alike.toSorted((a, b) => a.at - b.at).map((one) => one.map))
    .toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
  return maps.slice(1).every((next, k) => followsFrom(result, maps[k]!, next)) ? maps : [];
}

/** Whether a tensor is computed from an earlier one: maps that one module computes side by side are no hops. */
function followsFrom(result: Result, earlier: Tensor, later: Tensor): boolean {
  if (!result.directory.tensors.some(({ from }) => from)) return true;
  const [wanted, seen, open] = [numbersOf(earlier), new Set<number>(), [result.indexOf(later)]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const from of result.entryAt(one)?.from ?? []) {
      const source = result.tensors[from];
      if (source && numbersOf(source) === wanted) return true;
      if (!seen.has(from)) open.push(from);
      seen.add(from);
    }
  }
  return false;
}

function inHops(map: Tensor, result: Result, chosen: Chosen, row: number): Course | undefined {
  const maps = hopsOf(map, result);
  if (maps.length < 2 || maps.length > MOST || runsInTime(map)) return undefined;
  const steps = maps.map((hop): Step => {
    const types = typed(hop);
    // The module that a hop calls has the same numbers under its own name, and beside them what it was asked with.
    const inner = result.all('outputs')
      .find((one) => one !== hop && one.within !== hop.within && sameNumbers(one, hop))?.within;
    const module = inner ?? (maps.some(({ within }) => within !== hop.within) ? hop.within : undefined);
    const beside = module === undefined ? []
      : BESIDE.flatMap((role) => result.all('outputs')
      .filter((one) => one.within === module && one.role === role && one.shape.length === 2).slice(0, 1));
    return { weights: rowOf(hop, axisOf(types, 'query'), row, axisOf(types, 'key'), chosen),
      beside: beside.map((one) => rowOf(one, 0, row, 1, chosen)) };
  });
  return { kind: 'hops', maps, steps };
}

/** The course that a map belongs to; `row`: of hops, whose question is followed. */
export const courseOf = (map: Tensor, result: Result, chosen: Chosen = {}, row = 0): Course | undefined =>
  inTime(map, result, chosen) ?? inHops(map, result, chosen, row);

const firstMaps = new WeakMap<Result, Tensor[]>();

/** Every course of a result, once: its first map. */
export function courseMaps(result: Result): Tensor[] {
  let found = firstMaps.get(result);
  if (!found) firstMaps.set(result, found = findCourses(result));
  return found;
}

function findCourses(result: Result): Tensor[] {
  const seen = new Set<string>();
  const passed = new Set<Tensor>();
  return result.all('outputs').filter(isWeights).filter((map) => {
    if (passed.has(map) || seen.has(numbersOf(map))) return false;
    const course = courseOf(map, result);
    for (const one of course?.maps ?? []) seen.add(numbersOf(one));
    // Too many to be shown as a course: no other of them is the beginning of one.
    if (!course) for (const one of hopsOf(map, result)) passed.add(one);
    return course !== undefined;
  });
}

/** The values of a row of weights. */
export const values = ({ weights }: Pick<Step, 'weights'>): number[] =>
  Array.from({ length: weights.cols }, (_, at) => weights.at(0, at));

/** Where a step looks most. */
export function largest(step: Pick<Step, 'weights'>): { at: number; value: number } {
  const all = values(step);
  const value = maximum(all);
  return { at: all.indexOf(value), value };
}

/** How undecided a step is, in bits. */
export const entropy = (step: Step): number =>
  values(step).reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0);

/** The cell where a step looks most. */
export const cellOf = ({ weights }: Step): Target =>
  ({ group: weights.tensor.group, tensor: weights.tensor.name, index: weights.index(0, largest({ weights }).at) });

/** Which step a cell belongs to. */
export function stepAt({ kind, maps }: Course, target: Target | undefined, result: Result): number | undefined {
  const pointed = target && result.whole(target.tensor, target.group);
  const at = pointed ? maps.findIndex((map) => sameNumbers(map, pointed)) : -1;
  if (at < 0 || !target) return undefined;
  return kind === 'hops' ? at : target.index[axisOf(typed(maps[0]!), 'query')];
}
