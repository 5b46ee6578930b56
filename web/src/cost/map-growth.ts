// SPDX-License-Identifier: Apache-2.0
// How widely attention is spread over the length of a text: measures of a document's map, run at growing lengths.
import { weightsOf } from '../directory/modules.ts';
import { HEAD } from '../directory/places.ts';
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { plane, type Result } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import { type MapMeasure, measured } from '../heads/map-measures.ts';
import { mapOf } from '../heads/measured-heads.ts';
import { maximum, minimum } from '../lists.ts';
import type { Book } from '../state/catalogue.ts';
import { grown } from './grow.ts';

/** What is measured, in the order of the menu. */
export const SPREAD = ['effective', 'entropy', 'first'] as const satisfies readonly MapMeasure[];
export type Spread = typeof SPREAD[number];

/** The words of a text are drawn again from each of these. */
const SEEDS = [1, 2, 3];
/** The map of a longer text would take the page too long to read. */
export const LONGEST = 256;

/** One length: for each measure its mean over the heads, for each seed; none where the map has no such number. */
export interface Length {
  n: number;
  draws: Readonly<Record<Spread, readonly number[]>>;
}

const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;

/** A measure of the weights of a result: its mean over all heads that have a number. */
export function spreadIn(result: Result, id: Spread): number | undefined {
  const weights = weightsOf(result);
  if (!weights) return undefined;
  const heads = weights.shape[weights.places.indexOf(HEAD)] ?? 1;
  const found = Array.from({ length: heads }, (_, head) =>
    measured(mapOf(plane(weights, { [HEAD]: head }), result), id)?.mean).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : mean(found);
}

export type Ended = { refused: string } | 'closed' | undefined;

/**
 * Runs a document at these lengths and tells each one as it comes. It ends early where the engine refuses a length, and
 * where it keeps no whole map.
 */
export async function overLengths(client: Client, book: Book, document: Doc, lengths: readonly number[],
  tell: (length: Length) => void): Promise<Ended> {
  let only: string | undefined;
  for (const n of lengths) {
    const draws: Record<Spread, number[]> = { effective: [], entropy: [], first: [] };
    for (const seed of SEEDS) {
      const asked = grown(book, document, n, seed);
      const answer = await compute(client, only === undefined ? asked : { ...asked, outputs: [only] });
      if (!answer) return 'closed';
      if (answer.error) return { refused: answer.error.message };
      const weights = answer.result && weightsOf(answer.result);
      if (!answer.result || !weights) return undefined;
      only = weights.name;
      for (const id of SPREAD) {
        const value = spreadIn(answer.result, id);
        if (value !== undefined) draws[id].push(value);
      }
    }
    tell({ n, draws });
  }
  return undefined;
}

/** What a map has that gives the same weight to all keys: each measure by the number of keys. */
export const EVEN: Readonly<Record<Spread, (n: number) => number>> =
  { effective: (n) => n, entropy: (n) => Math.log2(n), first: (n) => 1 / n };

/** The mean of a measure at each length that has one, with the lowest and the highest draw. */
export const curveOf = (lengths: readonly Length[], id: Spread): { n: number; value: number; low: number;
  high: number }[] => lengths.filter(({ draws }) => draws[id].length > 0).map(({ n, draws }) =>
  ({ n, value: mean(draws[id]), low: minimum(draws[id]), high: maximum(draws[id]) }));
