// SPDX-License-Identifier: Apache-2.0
import { csvText } from '../files/csv.ts';

/** The log probabilities of one measurement, under the heading of its column. */
export interface Column {
  name: string;
  values: Float64Array;
}

/** One row per token of the text. */
export const lossCsv = (ids: readonly number[], labels: readonly string[], columns: readonly Column[]): string =>
  csvText([['position', 'id', 'token', ...columns.map(({ name }) => name)], ...ids.map((id, k) => [k + 1, id, labels[k],
    ...columns.map(({ values }) => (Number.isNaN(values[k]) ? undefined : values[k]))])]);
