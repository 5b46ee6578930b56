// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { domainOf } from '../colour/scale.ts';
import { runningAxes, timeOf, type Typed } from '../directory/typed.ts';
import { Plane, type Tensor } from '../engine/result.ts';
import '../flow/legend.ts';
import '../flow/matrix.ts';
import { strings } from '../strings/en.ts';
import { timeline } from './timeline.ts';
import { nameAt, planeOf, type Subject, type View } from './view.ts';

// So many states stand in the strip, around the one that is followed.
const STRIP = 12;
const SMALL = 44;

const axesOf = (typed: Typed, shape: readonly number[]): readonly [number, number] => runningAxes(typed, shape);
const after = (subject: Subject, row: number): Subject =>
  ({ ...subject, held: subject.held.with(timeOf(subject.typed), row) });

/** The row that is followed: the one that is pointed at or locked, else the last. */
export function rowShown({ tensor, typed, at }: Subject): number {
  const time = timeOf(typed);
  const last = (tensor.shape[time] ?? 1) - 1;
  return Math.min(at?.(time) ?? last, last);
}

/** What a row changed: its state minus the one before it, which is zero before the first. */
export function changeAt(subject: Subject, row: number): Plane {
  const [now, before] = [planeOf(after(subject, row)), planeOf(after(subject, Math.max(0, row - 1)))];
  const data = new Float32Array(now.rows * now.cols);
  for (let i = 0; i < now.rows; i++)
    for (let j = 0; j < now.cols; j++) data[i * now.cols + j] = now.at(i, j) - (row === 0 ? 0 : before.at(i, j));
  const axes = [now.rowAxis, now.colAxis];
  const tensor: Tensor = { ...subject.tensor, data, shape: [now.rows, now.cols],
    axes: axes.map((k) => subject.tensor.axes[k] ?? ''), places: axes.map((k) => subject.tensor.places[k] ?? ''),
    dimensions: axes.map((k) => subject.typed.dimensions[k]!) };
  return new Plane(tensor, 0, 1, [0, 0]);
}

const size = (plane: Plane, most: number): { w: number; h: number } => {
  const cell = Math.max(2, Math.min(28, most / Math.max(plane.rows, plane.cols)));
  return { w: Math.max(12, plane.cols * cell), h: Math.max(12, plane.rows * cell) };
};

/** A matrix that is a memory, after each row: the row that is followed large, what it changed, and those around. */
export const memory: View = {
  id: 'memory',
  rank: 45,
  accepts: (typed, shape) => typed.role === 'state' && timeOf(typed) >= 0 && shape.length > 2
    && !axesOf(typed, shape).includes(timeOf(typed)),
  draw(subject, { height }) {
    const time = timeOf(subject.typed);
    const count = subject.tensor.shape[time] ?? 1;
    const row = rowShown(subject);
    const plane = planeOf(after(subject, row));
    const domain = domainOf(subject.tensor.data, 'signed');
    const large = size(plane, height);
    const first = Math.max(0, Math.min(row - Math.floor(STRIP / 2), count - STRIP));
    const rows = Array.from({ length: Math.min(STRIP, count) }, (_, k) => first + k);
    const change = changeAt(subject, row);
    return html`<div class="memory" data-row=${row}>
      <div class="now"><figure><figcaption>${strings.pictures.after(nameAt(subject, time, row))}</figcaption>
        <ap-matrix data-tensor=${subject.tensor.name} .plane=${plane} .kind=${'signed'} .domain=${domain}
          .w=${large.w} .h=${large.h}></ap-matrix></figure>
        <figure><figcaption>${strings.pictures.changed}</figcaption>
        <ap-matrix still .plane=${change} .kind=${'signed'} .domain=${domain} .w=${large.w}
          .h=${large.h}></ap-matrix></figure></div>
      <ol class="strip-of" aria-label=${this.says(subject)}>${rows.map((at) => {
        const one = planeOf(after(subject, at));
        const { w, h } = size(one, SMALL);
        return html`<li class=${at === row ? 'followed' : ''} aria-current=${at === row ? 'step' : nothing}><ap-matrix
          data-tensor=${subject.tensor.name} .plane=${one} .kind=${'signed'} .domain=${domain} .w=${w}
          .h=${h}></ap-matrix><span>${nameAt(subject, time, at)}</span></li>`;
      })}</ol>
      <ap-legend .domain=${domain} .kind=${'signed'} .of=${subject.tensor} .width=${116}></ap-legend></div>`;
  },
  says: (subject) => strings.pictures.memory(subject.tensor.shape[timeOf(subject.typed)] ?? 1,
    nameAt(subject, timeOf(subject.typed), rowShown(subject))),
  exports: (subject) => timeline.exports(subject),
};
