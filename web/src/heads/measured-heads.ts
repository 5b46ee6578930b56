// SPDX-License-Identifier: Apache-2.0
// All heads of a result with their maps, and what the measures say of each: found once for a result.
import { HEAD } from '../directory/places.ts';
import { type LeftOut, plane, type Plane, type Result, type Tensor } from '../engine/result.ts';
import { arrange } from '../directory/modules.ts';
import type { ModuleEntry } from '../engine/types.ts';
import { moduleCalled } from '../strings/counted.ts';
import { measures } from './measures/all.ts';
import { areShares, type HeadMap, type HeadMeasure, isSelf, type Lack } from './measures/measure.ts';

export interface Head {
  /** Which row of the overview it is in, from 0; readers see the name of the layer. */
  layer: number;
  /** From 0; the page counts heads from 1. */
  head: number;
  /** The module that the head belongs to; empty for the one of `mechanism`. */
  module: string;
  /** What the structure calls its layer; empty where there is only one. */
  called: string;
  tensor: Tensor;
  plane: Plane;
  mask?: Plane;
  scores: Readonly<Partial<Record<HeadMeasure['id'], number>>>;
}

/** A plane with the tokens along its axes, as measures read it. */
export const mapOf = (shown: Plane, result: Result): HeadMap => ({
  rows: shown.rows,
  cols: shown.cols,
  at: (row, col) => shown.at(row, col),
  queries: result.labels(shown.axis('row') ?? ''),
  keys: result.labels(shown.axis('col') ?? ''),
});

function scoresOf(map: HeadMap): Head['scores'] {
  return Object.fromEntries(measures.map(({ id, of }) => [id, of(map)]).filter(([, value]) => value !== undefined));
}

/**
 * What the structure calls the layers with these attention modules: "layer 1" for `layer-1.attention`, if that is the
 * only attention in it. A document names its modules as it likes, so a number of the page's own could be another one.
 */
export function layersCalled(names: readonly string[], modules: readonly ModuleEntry[]): string[] {
  const parentOf = (name: string): string => modules.find((one) => one.name === name)?.parent ?? '';
  const parents = names.map(parentOf);
  const isOnly = (parent: string): boolean => parent !== '' && parents.filter((one) => one === parent).length === 1;
  return names.map((name, k) => moduleCalled(isOnly(parents[k]!) ? parents[k]! : name));
}

const found = new WeakMap<Result, readonly Head[]>();

/** Every head of every attention module, layer by layer in the order of computation. */
export function headsOf(result: Result): readonly Head[] {
  let heads = found.get(result);
  if (!heads) found.set(result, heads = list(result));
  return heads;
}

function list(result: Result): Head[] {
  const layers = arrange(result).modules.filter(({ weights }) => weights !== undefined)
    .toSorted((a, b) => (a.weights!.step ?? 0) - (b.weights!.step ?? 0));
  const called = layersCalled(layers.map(({ name }) => name), result.directory.modules ?? []);
  return layers.flatMap(({ name, weights, mask }, layer) => {
    const tensor = weights!;
    // All heads of a layer are measured, or none.
    let shares: boolean | undefined;
    const measured = () => shares ??= heads.every((one) => areShares(mapOf(one.plane, result)));
    const count = tensor.shape[tensor.places.indexOf(HEAD)] ?? 1;
    const heads = Array.from({ length: count }, (_, head): Head => {
      const shown = plane(tensor, { [HEAD]: head });
      const hides = mask && plane(mask, { [HEAD]: head });
      const fits = hides?.rows === shown.rows && hides.cols === shown.cols;
      let scores: Head['scores'] | undefined;
      return { layer, head, module: name, called: called[layer]!, tensor, plane: shown,
        ...(fits ? { mask: hides } : {}),
        // Found once somebody looks: who only counts heads waits for no measure.
        get scores() { return scores ??= measured() ? scoresOf(mapOf(shown, result)) : {}; } };
    });
    return heads;
  });
}

/** Why heads have no number of this measure, and how many there are for each reason that is about the tokens. */
export function lacksOf(heads: readonly Head[], measure: HeadMeasure, result: Result): Map<Lack, number> {
  const found = new Map<Lack, number>();
  for (const { scores, plane: shown } of heads) {
    const lack = scores[measure.id] === undefined ? measure.lacks?.(mapOf(shown, result)) : undefined;
    if (lack !== undefined) found.set(lack, (found.get(lack) ?? 0) + 1);
  }
  return found;
}

/** The keys of a head's module, if its heads share them. */
export const sharedKeys = ({ tensor: { module } }: Head, { tensors, left }: Result): Tensor | LeftOut | undefined =>
  [...tensors, ...left].find((one) => one.module === module && one.role === 'key' && one.group === 'outputs'
    && one.readers !== undefined);

/** Whether some maps lead from one text to another, as those of cross-attention do. */
export const areCrossed = (heads: readonly Head[], result: Result): boolean =>
  heads.some(({ plane: shown }) => !isSelf(mapOf(shown, result)));

/** The heads that have a number of this measure, the most telling one first. */
export function ranked(heads: readonly Head[], { id, best }: HeadMeasure): Head[] {
  const way = best === 'highest' ? -1 : 1;
  return heads.filter(({ scores }) => scores[id] !== undefined)
    .toSorted((a, b) => way * (a.scores[id]! - b.scores[id]!));
}
