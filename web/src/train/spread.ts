// SPDX-License-Identifier: Apache-2.0
// Mean and sample standard deviation of what the same model reached from several seeds, and what two models differ by
// on the same seeds.
import type { Option } from './axes.ts';
import type { Cell } from './several.ts';
import { studentQuantile } from './student.ts';

export type Measure = 'accuracy' | 'alignment';
type Measured = Pick<Cell, 'row' | 'column' | 'training'>;

const MEASURES = ['accuracy', 'alignment'] as const;

// The options of the choice that is not the seed.
const optionsOf = (cells: readonly Measured[], seeds: 'row' | 'column'): Option[] =>
  [...new Set(cells.map((cell) => cell[seeds === 'row' ? 'column' : 'row']))];

export interface Spread {
  /** What the models have in common: the choice other than the seed. */
  label: string;
  measure: Measure;
  mean: number;
  /** Divided by n - 1: what is known of all seeds from these. */
  deviation: number;
  n: number;
  step: number;
}

export function meanAndDeviation(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

/** In which direction models differ by their seed; undefined where they do not. */
export const seedsAlong = (cells: readonly Pick<Cell, 'row' | 'column' | 'document'>[]): 'row' | 'column' | undefined =>
  (['row', 'column'] as const).find((which) => cells.some((one) => cells.some((two) => one[which] !== two[which]
    && one[which === 'row' ? 'column' : 'row'] === two[which === 'row' ? 'column' : 'row']
    && one.document['seed'] !== two.document['seed'])));

/** What the models of one option reached at their last step, by the other option; undefined if their steps differ. */
function reached(cells: readonly Measured[], seeds: 'row' | 'column', option: Option, measure: Measure):
  { values: Map<Option, number>; step: number } | undefined {
  const own = cells.filter((cell) => cell[seeds === 'row' ? 'column' : 'row'] === option
    && cell.training.problem === undefined && cell.training.failure === undefined);
  const last = own.map(({ training }) => training.history.measured.at(-1));
  const step = last[0]?.step;
  if (step === undefined || last.some((one) => one?.step !== step || one[measure] === undefined)) return undefined;
  return { values: new Map(own.map((cell, k) => [cell[seeds], last[k]![measure]!])), step };
}

/** `seeds`: which of the two choices is the seed. Only models that were measured at the same step are put together. */
export function spreads(cells: readonly Measured[], seeds: 'row' | 'column'): Spread[] {
  return optionsOf(cells, seeds).flatMap((option) => MEASURES.flatMap((measure): Spread[] => {
    const found = reached(cells, seeds, option, measure);
    return !found || found.values.size < 2 ? [] : [{ label: option.label, measure,
      ...meanAndDeviation([...found.values.values()]), n: found.values.size, step: found.step }];
  }));
}

/** What one model reached more than another, seed by seed. */
export interface Difference {
  labels: [string, string];
  measure: Measure;
  mean: number;
  deviation: number;
  /** Half of the 95 % interval of the mean, by Student's distribution with n - 1 degrees of freedom. */
  within: number;
  /** On so many seeds the first model reached more, and on so many less. */
  more: number;
  fewer: number;
  n: number;
}

/** The first option against each of the others, over the seeds that both were trained from. */
export function differences(cells: readonly Measured[], seeds: 'row' | 'column'): Difference[] {
  const [first, ...others] = optionsOf(cells, seeds);
  if (!first) return [];
  return others.flatMap((other) => MEASURES.flatMap((measure): Difference[] => {
    const [one, two] = [first, other].map((option) => reached(cells, seeds, option, measure));
    if (!one || !two || one.step !== two.step) return [];
    const apart = [...one.values].flatMap(([seed, value]) => (two.values.has(seed)
      ? [value - two.values.get(seed)!] : []));
    if (apart.length < 2) return [];
    const { mean, deviation } = meanAndDeviation(apart);
    return [{ labels: [first.label, other.label], measure, mean, deviation, n: apart.length,
      within: (studentQuantile(0.975, apart.length - 1) * deviation) / Math.sqrt(apart.length),
      more: apart.filter((value) => value > 0).length, fewer: apart.filter((value) => value < 0).length }];
  }));
}
