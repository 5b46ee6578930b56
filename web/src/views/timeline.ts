// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { axisOf, runningAxes, timeOf, type Typed } from '../directory/typed.ts';
import { csvText } from '../files/csv.ts';
import { strings } from '../strings/en.ts';
import '../timeline/timeline.ts';
import { runsInTime } from '../directory/steps-in-time.ts';
import { lines } from './lines.ts';
import { matrix } from './matrix.ts';
import { csv, nameAt, type Subject, type View } from './view.ts';

const MOST = 64;
const at = (subject: Subject, time: number, step: number): Subject =>
  ({ ...subject, held: subject.held.map((place, axis) => (axis === time ? step : place)) });
// Time is what the pictures are beside one another for: it does not run inside one.
const apart = (typed: Typed): boolean => timeOf(typed) >= 0 && !runningAxes(typed).includes(timeOf(typed));

// Weights whose rows are steps are shown with what each step asks with and finds.
const inRows = (typed: Typed): boolean =>
  typed.kind === 'probability' && runsInTime({ dimensions: [...typed.dimensions] }) && axisOf(typed, 'key') >= 0;

/** One small picture a step, side by side, on one scale. */
export const timeline: View = {
  id: 'timeline',
  rank: 50,
  accepts: (typed, shape) => (apart(typed) || inRows(typed)) && shape[timeOf(typed)]! <= MOST,
  draw(subject, { width, height }) {
    if (inRows(subject.typed)) return html`<ap-timeline .tensor=${subject.tensor}></ap-timeline>`;
    const time = timeOf(subject.typed);
    const steps = subject.tensor.shape[time] ?? 1;
    const room = { width: Math.max(24, width / steps - 8), height };
    return html`<ol class="steps" aria-label=${this.says(subject)}>${
      Array.from({ length: steps },
      (_, step) => html`<li>${matrix.draw(at(subject, time, step), room)}<span>${
      nameAt(subject, time, step)}</span></li>`)}</ol>`;
  },
  says: (subject) => (inRows(subject.typed) ? lines.says(subject)
    : strings.pictures.steps(subject.tensor.shape[timeOf(subject.typed)] ?? 1)),
  exports(subject) {
    if (inRows(subject.typed)) return csv(subject);
    const time = timeOf(subject.typed);
    const parts = Array.from({ length: subject.tensor.shape[time] ?? 1 },
      (_, step) => csvText([[nameAt(subject, time, step)]]) + csv(at(subject, time, step)).text);
    return { ending: 'csv', text: parts.join('\r\n') };
  },
};
