// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { timeOf } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import { csv, mostOf, nameAt, planeOf, rowOf, type Subject, type View, within, written } from './view.ts';

const LABEL = 16;

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
    const most = mostOf(all);
    const tall = height - LABEL;
    const w = width / all.length;
    return svg`<svg width=${width} height=${height} role="img" aria-label=${this.says(subject)}>
      ${all.map((value, k) => svg`<rect class="bar" x=${k * w} width=${Math.max(0.5, w - (w > 3 ? 1 : 0))}
        y=${tall * (1 - within(value / most, 0, 1))}
        height=${tall * within(value / most, 0, 1)}><title>${nameAt(subject, timeOf(subject.typed), k)}: ${
        written(value, { kind: 'signed' })}</title></rect>`)}
      <path class="axis" d="M0 ${tall}H${width}" /></svg>`;
  },
  says(subject) {
    const all = lengths(subject);
    return strings.pictures.grows(written(all[0] ?? 0, { kind: 'signed' }),
      written(all.at(-1) ?? 0, { kind: 'signed' }), all.length);
  },
  exports: (subject) => csv(subject),
  tells: (subject) => rowOf(planeOf(subject), 0).length > 0,
};
