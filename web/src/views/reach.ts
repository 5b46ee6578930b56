// SPDX-License-Identifier: Apache-2.0
import { percent } from '../strings/numerals.ts';
import { html } from 'lit';
import { runningAxes } from '../directory/typed.ts';
import { Plane } from '../engine/result.ts';
import { strings } from '../strings/en.ts';
import '../flow/matrix.ts';
import { isSquare, reached } from './square.ts';
import { csv, planeOf, type Subject, type View } from './view.ts';

const SHADES = [0, 1, 0.35];
const SWATCH = 12;
const share = (count: number, of: number): string => percent(String(Math.round((100 * count) / of)));

// A single cell of the colour of one more or less near.
const shade = ({ tensor }: Plane, value: number): Plane =>
  new Plane({ ...tensor, shape: [1, 1], data: Float32Array.of(value) }, 0, 1, [0, 0]);

// A matrix of its own, whose cells stand for the same places.
function drawn(subject: Subject): { plane: Plane; steps: Uint8Array } {
  const plane = planeOf(subject);
  const steps = reached(plane);
  const dimensions = [plane.rowAxis, plane.colAxis].map((axis) => subject.typed.dimensions[axis]!);
  const places = [plane.axis('row') ?? '', plane.axis('col') ?? ''];
  const tensor = { ...subject.tensor, shape: [plane.rows, plane.cols], dimensions, places,
    data: Float32Array.from(steps, (step) => SHADES[step]!) };
  return { plane: new Plane(tensor, 0, 1, [0, 0]), steps };
}

/** Which pairs a pattern allows, and which are reached by way of one token more. */
export const reach: View = {
  id: 'reach',
  rank: 110,
  accepts: isSquare,
  draw(subject, { width, height }) {
    const side = Math.min(width, height * 2);
    const { plane } = drawn(subject);
    return html`<ap-matrix still .plane=${plane} .kind=${'weights'} .domain=${[0, 1]} .w=${side}
      .h=${side}></ap-matrix><ul class="steps-key">${
        strings.pictures.inSteps.map((text, k) =>
        html`<li><ap-matrix still .plane=${shade(plane, SHADES[k + 1]!)} .kind=${'weights'} .domain=${[0, 1]} .w=${
        SWATCH} .h=${SWATCH}></ap-matrix>${text}</li>`)}</ul>`;
  },
  says(subject) {
    const { steps } = drawn(subject);
    const one = steps.filter((step) => step === 1).length;
    const two = steps.filter((step) => step > 0).length;
    return strings.pictures.reach(share(one, steps.length), share(two, steps.length));
  },
  exports(subject) {
    const { plane, steps } = drawn(subject);
    // The steps themselves, under the names of the map's own axes.
    return csv({ ...subject, labels: (axis) =>
      subject.labels(runningAxes(subject.typed, subject.tensor.shape)[axis]!) },
      new Plane({ ...plane.tensor, data: Float32Array.from(steps) }, 0, 1, [0, 0]));
  },
  // A map without zeros reaches everything at once.
  tells: (subject) => reached(planeOf(subject)).some((step) => step !== 1),
};
