// SPDX-License-Identifier: Apache-2.0
// What the maps of the pinned example are like at a step: the mean of two measures of heads over all maps and heads.
import { entropy } from '../heads/measures/entropy.ts';
import { first } from '../heads/measures/first.ts';
import { areShares, type HeadMap } from '../heads/measures/measure.ts';
import { columnsOf, rowNames } from './map-words.ts';
import type { Picture } from './messages.ts';

export interface MapFacts {
  /** The weight on the first key: what a sink gathers. */
  first: number | undefined;
  /** Of a row, in bits. */
  entropy: number | undefined;
}

const known = new WeakMap<Float32Array, MapFacts>();

function mapsOf(picture: Picture): HeadMap[] {
  let start = 0;
  return picture.maps.flatMap(({ shape: [heads, rows, cols] }, k) => {
    const [queries, keys] = [rowNames(picture, k), columnsOf(picture, k)];
    return Array.from({ length: heads }, (): HeadMap => {
      const from = start;
      start += rows * cols;
      return { rows, cols, queries, keys, at: (row, col) => picture.weights[from + row * cols + col]! };
    });
  });
}

const mean = (values: readonly (number | undefined)[]): number | undefined => {
  const found = values.filter((one) => one !== undefined);
  return found.length === 0 ? undefined : found.reduce((a, b) => a + b, 0) / found.length;
};

/** Found once for the weights of a step: curves are drawn again with every new one. */
export function factsOf(picture: Picture): MapFacts {
  let facts = known.get(picture.weights);
  if (!facts) {
    // Of numbers that are no shares of a row's weight nothing is measured.
    const maps = mapsOf(picture).filter(areShares);
    facts = { first: mean(maps.map((one) => first.of(one))), entropy: mean(maps.map((one) => entropy.of(one))) };
    known.set(picture.weights, facts);
  }
  return facts;
}
