// SPDX-License-Identifier: Apache-2.0
// Mean and sample standard deviation of what the same model reached from several seeds.
import type { Cell } from './several.ts';

type Measure = 'accuracy' | 'alignment';

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

/** `seeds`: which of the two choices is the seed. Only models that were measured at the same step are put together. */
export function spreads(cells: readonly Pick<Cell, 'row' | 'column' | 'training'>[], seeds: 'row' | 'column'):
  Spread[] {
  const other = seeds === 'row' ? 'column' : 'row';
  return [...new Set(cells.map((cell) => cell[other]))].flatMap((option) => {
    const last = cells.filter((cell) => cell[other] === option && cell.training.problem === undefined
      && cell.training.failure === undefined).map(({ training }) => training.history.measured.at(-1));
    const step = last[0]?.step;
    if (step === undefined || last.length < 2 || last.some((one) => one?.step !== step)) return [];
    return (['accuracy', 'alignment'] as const).flatMap((measure): Spread[] => {
      const values = last.map((one) => one![measure]).filter((value) => value !== undefined);
      return values.length < last.length ? []
        : [{ label: option.label, measure, ...meanAndDeviation(values), n: values.length, step }];
    });
  });
}
