// SPDX-License-Identifier: Apache-2.0
// What a measure of a head reads: one attention map with the tokens along its rows and columns.

/** One head's attention map: `at(i, j)` is the weight that query i gives to key j. */
export interface HeadMap {
  rows: number;
  cols: number;
  at(row: number, col: number): number;
  /** The token of each query and of each key; without them only measures of numbers apply. */
  queries?: readonly string[] | undefined;
  keys?: readonly string[] | undefined;
}

/**
 * What the tokens of a map lack for a measure: they are not known, those of queries and keys differ, there is only one,
 * none occurs twice, none occurs twice with another one in between, or none of the queries is among the keys.
 */
export type Lack = 'tokens' | 'self' | 'second' | 'repeats' | 'earlier' | 'shared';

/** A number that says what a head does, computed from its map alone. */
export interface HeadMeasure {
  id: 'previous' | 'first' | 'itself' | 'same' | 'induction' | 'entropy';
  /** In bits, or a share of the weight between 0 and 1. */
  unit: 'bits' | 'share';
  /** Whether the most telling head has the highest or the lowest number. */
  best: 'highest' | 'lowest';
  /** Undefined where the map does not have what the measure reads. */
  of(map: HeadMap): number | undefined;
  /** What it does not have, of a map without a number. */
  lacks?(map: HeadMap): Lack | undefined;
}

/** What a measure says of each row of a map; undefined where the map does not have what it reads. */
export type RowMeasure = (map: HeadMap) => ((row: number) => number | undefined) | undefined;

/** A measure of rows: what it says of a map is the mean over those rows that have a number. */
export type RowwiseMeasure = HeadMeasure & { ofRow: RowMeasure };

export const rowwise = (measure: Omit<RowwiseMeasure, 'of'>): RowwiseMeasure => ({ ...measure, of: (map) => {
  const ofRow = measure.ofRow(map);
  return ofRow && meanOfRows(map.rows, ofRow);
} });

/** Whether queries and keys are the same tokens in the same order, so that positions can be compared. */
export function isSelf({ rows, cols, queries, keys }: HeadMap): boolean {
  if (rows !== cols) return false;
  if (!queries || !keys) return queries === keys;
  return queries.length === keys.length && queries.every((token, at) => token === keys[at]);
}

/** What a measure of positions lacks in a map without a number. */
export const lacksPositions = (map: HeadMap): Lack => (isSelf(map) ? 'second' : 'self');

// Rows are added up in single precision.
const ROUNDING = 1e-3;

/**
 * Whether the numbers are shares of a row's weight, which all measures read: none is below 0, and no row adds up to
 * more than 1. The implied map of a recurrent form, for instance, has neither property.
 */
export function areShares({ rows, cols, at }: HeadMap): boolean {
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let col = 0; col < cols; col++) {
      if (at(row, col) < 0) return false;
      sum += at(row, col);
    }
    if (sum > 1 + ROUNDING) return false;
  }
  return true;
}

/** The mean over the rows that have a number; undefined where none has one. */
export function meanOfRows(rows: number, of: (row: number) => number | undefined): number | undefined {
  let [sum, count] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const value = of(row);
    if (value === undefined || Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}
