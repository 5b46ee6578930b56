// SPDX-License-Identifier: Apache-2.0
import { exactly } from '../colour/numbers.ts';
import { bars } from '../elements/bars.ts';
import { matrixOf } from '../elements/tensor.ts';
import { csvText } from '../files/csv.ts';
import { strings } from '../strings/en.ts';
import { byDistance, isSquare } from './square.ts';
import { planeOf, type Subject, type View, written } from './view.ts';

const HALF = 0.5;

const signed = (distance: number): string => (distance > 0 ? `+${distance}` : exactly(distance));

// The least distance within which half of the weight lies.
function span(subject: Subject): number {
  const all = byDistance(planeOf(subject));
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  for (let within = 0; within <= all.length; within++) {
    const sum = all.filter(({ distance }) => Math.abs(distance) <= within).reduce((x, { weight }) => x + weight, 0);
    if (sum >= HALF * total) return within;
  }
  return 0;
}

/** Weight by distance: a window is a block, a soft span a ramp. */
export const distance: View = {
  id: 'distance',
  rank: 120,
  accepts: isSquare,
  draw(subject, { width, height }) {
    const all = byDistance(planeOf(subject));
    return bars(matrixOf(Float32Array.from(all, ({ weight }) => weight), 1, all.length), { width, height, names: 'ends',
      name: (at) => signed(all[at]!.distance), written: (value) => written(value, subject.typed) }, this.says(subject));
  },
  says: (subject) => strings.pictures.span(span(subject)),
  exports: (subject) => ({ ending: 'csv',
    text: csvText([['distance', 'weight'],
      ...byDistance(planeOf(subject)).map(({ distance, weight }) => [distance, weight])]) }),
  tells: () => true,
};
