// SPDX-License-Identifier: Apache-2.0
// What is measured of one map, row by row and on the mean: below a map, in Compare, and over the length of a text.
import type { Plane, Result } from '../engine/result.ts';
import { mapOf } from './measured-heads.ts';
import { entropy } from './measures/entropy.ts';
import { first } from './measures/first.ts';
import { itself } from './measures/itself.ts';
import { areShares, type HeadMap, meanOfRows, type RowMeasure } from './measures/measure.ts';
import { previous } from './measures/previous.ts';
import { type Rank, rankOf } from './singular.ts';

/** Two to the power of the entropy: a row that gives the same weight to four keys has four. */
const effective: RowMeasure = (map) => {
  const bits = entropy.ofRow(map);
  return (row) => {
    const own = bits?.(row);
    return own === undefined ? undefined : 2 ** own;
  };
};

export type MapMeasure = 'entropy' | 'effective' | 'first' | 'itself' | 'previous';

const ROWS: Readonly<Record<MapMeasure, RowMeasure>> = { entropy: entropy.ofRow, effective, first: first.ofRow,
  itself: itself.ofRow, previous: previous.ofRow };

/** All measures of a map, in the order in which tables have them. */
export const MEASURES = Object.keys(ROWS) as MapMeasure[];

/** A number for each row that has one, and their mean; undefined where no row has one, or the map has no shares. */
export function measured(map: HeadMap, id: MapMeasure): { rows: (number | undefined)[]; mean: number } | undefined {
  if (!areShares(map)) return undefined;
  const of = ROWS[id](map);
  const rows = Array.from({ length: map.rows }, (_, row) => of?.(row));
  const mean = meanOfRows(map.rows, (row) => rows[row]);
  return mean === undefined ? undefined : { rows, mean };
}

/** The rank of a larger map would hold up the page. */
export const MOST_RANK = 192;

export interface MapSummary {
  rows: Readonly<Partial<Record<MapMeasure, readonly (number | undefined)[]>>>;
  means: Readonly<Partial<Record<MapMeasure, number>>>;
  /** Whether its numbers are shares of a row's weight; of others only the rank is known. */
  shares: boolean;
  /** Undefined where the map is too large for it. */
  rank: Rank | undefined;
}

const known = new WeakMap<Float32Array, Map<string, MapSummary>>();

/** All measures of a map on show: found once for its numbers, because tables are drawn again wherever one points. */
export function summaryOf(shown: Plane, result: Result): MapSummary {
  const map = mapOf(shown, result);
  const all = known.get(shown.tensor.data) ?? new Map<string, MapSummary>();
  known.set(shown.tensor.data, all);
  const key = JSON.stringify([shown.held, shown.rowAxis, map.queries, map.keys]);
  let found = all.get(key);
  if (!found) {
    const list = MEASURES.flatMap((id) => {
      const one = measured(map, id);
      return one ? [[id, one] as const] : [];
    });
    all.set(key, found = { shares: areShares(map), rows: Object.fromEntries(list.map(([id, { rows }]) => [id, rows])),
      means: Object.fromEntries(list.map(([id, { mean }]) => [id, mean])),
      rank: Math.min(map.rows, map.cols) > MOST_RANK ? undefined : rankOf(map) });
  }
  return found;
}
