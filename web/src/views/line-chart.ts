// SPDX-License-Identifier: Apache-2.0
import { timeOf, type Typed } from '../directory/typed.ts';
import { lines as drawn } from '../elements/lines.ts';
import { strings } from '../strings/en.ts';
import { csv, nameAt, planeOf, rowOf, type Subject, type View, written } from './view.ts';

const MOST_LINES = 12;

// Time runs across; what is left, if anything, is a line each.
function across(subject: Subject) {
  const time = timeOf(subject.typed);
  return planeOf(subject, [subject.tensor.shape.findIndex((_, axis) => axis !== time), time]);
}

const fits = ({ dimensions }: Typed, shape: readonly number[], time: number): boolean =>
  time >= 0 && (dimensions.length === 1 || (dimensions.length === 2 && shape[1 - time]! <= MOST_LINES));

/** Numbers over time: a line, or a few on one scale. */
export const lineChart: View = {
  id: 'line-chart',
  rank: 40,
  // A line between two words, or between yes and no, would say nothing.
  accepts: (typed, shape) => typed.kind !== 'index' && typed.kind !== '0/1' && fits(typed, shape, timeOf(typed)),
  draw(subject, { width, height }) {
    const plane = across(subject);
    return drawn(plane, { width, height, name: (row) => (plane.rowAxis < 0 ? ''
      : nameAt(subject, plane.rowAxis, row)) }, this.says(subject));
  },
  says(subject) {
    const values = rowOf(across(subject), 0);
    return strings.pictures.fromTo(written(values[0] ?? 0, subject.typed), written(values.at(-1) ?? 0, subject.typed));
  },
  exports: (subject) => csv(subject, across(subject)),
};
