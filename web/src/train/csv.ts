// SPDX-License-Identifier: Apache-2.0
import { csvText } from '../files/csv.ts';
import type { History } from './history.ts';
import { factsOf } from './map-facts.ts';
import type { Cell } from './several.ts';

const COLUMNS = ['step', 'loss', 'gradient norm', 'rate', 'held-out loss', 'accuracy', 'exact', 'alignment',
  'agrees', 'first key', 'entropy'] as const;

/**
 * A row for each step that something is known of; a field is empty where nothing was measured. The last two columns are
 * the weight on the first key and the entropy in bits of the pinned example's maps.
 */
export function curvesAsCsv({ steps, measured, pictures }: History): string {
  const rows = new Map<number, (number | undefined)[]>();
  const row = (step: number): (number | undefined)[] => {
    const known = rows.get(step) ?? [step, ...COLUMNS.slice(1).map(() => undefined)];
    rows.set(step, known);
    return known;
  };
  for (const { step, loss, gradientNorm, rate } of steps) row(step).splice(1, 3, loss, gradientNorm, rate);
  for (const { step, heldOutLoss, accuracy, exact, alignment, agrees } of measured)
    row(step).splice(4, 5, heldOutLoss, accuracy, exact, alignment, agrees);
  for (const picture of pictures) {
    const { first, entropy } = factsOf(picture);
    if (first !== undefined || entropy !== undefined) row(picture.step).splice(9, 2, first, entropy);
  }
  return csvText([COLUMNS, ...[...rows.values()].toSorted((a, b) => a[0]! - b[0]!)]);
}

/**
 * Several models: a row for each measurement of each of them, with what they differ in and their seed. The first row
 * of each has its document, from which the page trains it again.
 */
export function runsAsCsv(cells: readonly Pick<Cell, 'row' | 'column' | 'document' | 'training'>[]): string {
  const measures = ['examples', 'held-out loss', 'accuracy', 'exact', 'alignment', 'agrees', 'first key', 'entropy'];
  return csvText([['down', 'across', 'task', 'seed', 'step', ...measures, 'failure', 'document'],
    ...cells.flatMap(({ row, column, document, training }) => {
      const { task } = document.training;
      const type = typeof task === 'string' ? task : (task as { type?: string } | undefined)?.type;
      const model = [row.label, column.label, type, Number(document['seed'] ?? 0)];
      const text = JSON.stringify(document);
      const failure = training.problem?.message ?? training.failure;
      if (failure !== undefined) return [[...model, training.step, ...measures.map(() => undefined), failure, text]];
      const { measured, pictures } = training.history;
      return measured.map(({ step, heldOut, heldOutLoss, accuracy, exact, alignment, agrees }, k) => {
        // The maps of the same step, or of the last step before it that has a picture.
        const picture = pictures.findLast((one) => one.step <= step);
        const { first, entropy } = picture ? factsOf(picture) : {};
        return [...model, step, heldOut, heldOutLoss, accuracy, exact, alignment, agrees, first, entropy, undefined,
          k === 0 ? text : undefined];
      });
    })]);
}
