// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import type { Typed } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import { shades } from './classes.ts';
import { csv, planeOf, type Subject, type View } from './view.ts';

// Rows without words of their own that weigh keys: what stands between tokens and gathers them. Heads may stand before.
function axesOf({ role, kind, dimensions }: Typed, shape: readonly number[]): readonly [number, number] | undefined {
  const [down, across] = [dimensions.length - 2, dimensions.length - 1];
  const [rows, keys] = [dimensions[down], dimensions[across]];
  if (role !== 'weights' || kind !== 'probability' || !rows || !keys) return undefined;
  const between = rows.role === 'query' && rows.labels === undefined && rows.time !== true && keys.role === 'key'
    && keys.labels !== undefined;
  const front = dimensions.slice(0, -2).every((one) => one.role === 'head');
  return between && front && shape[down]! > 1 && shape[down]! < shape[across]! ? [down, across] : undefined;
}

const planeFor = (subject: Subject) => planeOf(subject, axesOf(subject.typed, subject.tensor.shape));

/** For each key the row that gathers most of it, measured by what each row gathers in all. */
function gatherers(subject: Subject): number[] {
  const shown = planeFor(subject);
  const rows = Array.from({ length: shown.rows }, (_, row) => row);
  const whole = rows.map((row) => {
    let sum = 0;
    for (let key = 0; key < shown.cols; key++) sum += shown.at(row, key);
    return sum || 1;
  });
  const share = (row: number, key: number): number => shown.at(row, key) / whole[row]!;
  return Array.from({ length: shown.cols }, (_, key) =>
    rows.reduce((best, row) => (share(row, key) > share(best, key) ? row : best), 0));
}

/** Which landmark gathers each token, on the tokens themselves, coloured as buckets are. */
export const gathers: View = {
  id: 'gathers',
  rank: 20,
  accepts: (typed, shape) => axesOf(typed, shape) !== undefined,
  draw: (subject, { width }) => html`<div class="classes">${
    shades(subject, [gatherers(subject)], planeFor(subject).colAxis, width)}</div>`,
  says(subject) {
    const shown = planeFor(subject);
    return strings.pictures.gathered(new Set(gatherers(subject)).size, shown.rows, shown.cols);
  },
  exports: (subject) => csv(subject, planeFor(subject)),
  tells: () => true,
};
