// SPDX-License-Identifier: Apache-2.0
import { bars as asBars } from '../elements/bars.ts';
import { strings } from '../strings/en.ts';
import { csv, largestAt, nameAt, planeOf, rowOf, type View, written } from './view.ts';

const MOST = 64;

/** One number a place as bars above and below zero. */
export const bars: View = {
  id: 'bars',
  rank: 60,
  // Which of several something is, is no size.
  accepts: ({ dimensions, kind }, shape) => dimensions.length === 1 && shape[0]! <= MOST && kind !== 'index',
  draw(subject, { width, height }) {
    const plane = planeOf(subject);
    return asBars(plane, { width, height, names: 'each', name: (at) => nameAt(subject, plane.colAxis, at),
      written: (value) => written(value, subject.typed) }, this.says(subject));
  },
  says(subject) {
    const plane = planeOf(subject);
    const values = rowOf(plane, 0);
    const largest = largestAt(values);
    return strings.pictures.largest(nameAt(subject, plane.colAxis, largest),
      written(values[largest] ?? 0, subject.typed));
  },
  exports: (subject) => csv(subject),
};
