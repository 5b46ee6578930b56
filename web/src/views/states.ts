// SPDX-License-Identifier: Apache-2.0
import { timeOf } from '../directory/typed.ts';
import { bars } from '../elements/bars.ts';
import { matrixOf } from '../elements/tensor.ts';
import { strings } from '../strings/en.ts';
import { csv, nameAt, planeOf, rowOf, type Subject, type View, written } from './view.ts';

// Of each step the length of its state, over every axis but time.
function lengths(subject: Subject): number[] {
  const time = timeOf(subject.typed);
  const { shape, data } = subject.tensor;
  const inner = shape.slice(time + 1).reduce((a, b) => a * b, 1);
  const squares = new Float64Array(shape[time] ?? 1);
  data.forEach((value, k) => (squares[Math.floor(k / inner) % squares.length]! += value * value));
  return Array.from(squares, Math.sqrt);
}

/** A state over time: how long it has grown at each step. */
export const states: View = {
  id: 'states',
  rank: 140,
  accepts: (typed, shape) => typed.role === 'state' && timeOf(typed) >= 0 && shape.length > 1,
  draw(subject, { width, height }) {
    const all = lengths(subject);
    return bars(matrixOf(Float32Array.from(all), 1, all.length), { width, height,
      name: (at) => nameAt(subject, timeOf(subject.typed), at),
      written: (value) => written(value, { kind: 'signed' }) }, this.says(subject));
  },
  says(subject) {
    const all = lengths(subject);
    return strings.pictures.grows(written(all[0] ?? 0, { kind: 'signed' }),
      written(all.at(-1) ?? 0, { kind: 'signed' }), all.length);
  },
  exports: (subject) => csv(subject),
  tells: (subject) => rowOf(planeOf(subject), 0).length > 0,
};
