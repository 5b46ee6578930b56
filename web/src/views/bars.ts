// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { strings } from '../strings/en.ts';
import { csv, largestAt, nameAt, planeOf, reach, rowOf, type View, within, written } from './view.ts';

const MOST = 64;
const LABEL = 16;

/** One number a place as bars above and below zero. */
export const bars: View = {
  id: 'bars',
  rank: 60,
  // Which of several something is, is no size.
  accepts: ({ dimensions, kind }, shape) => dimensions.length === 1 && shape[0]! <= MOST && kind !== 'index',
  draw(subject, { width, height }) {
    const plane = planeOf(subject);
    const values = rowOf(plane, 0);
    const [low, high] = reach(values);
    const y = (value: number) => ((high - within(value, low, high)) / (high - low)) * (height - LABEL);
    const w = width / values.length;
    return svg`<svg width=${width} height=${height} role="img" aria-label=${this.says(subject)}>
      ${values.map((value, k) => svg`<rect class="bar" x=${k * w + 1} width=${Math.max(1, w - 2)}
        y=${Math.min(y(0), y(value))}
        height=${Math.abs(y(value) - y(0))}><title>${nameAt(subject, plane.colAxis, k)}: ${
        written(value, subject.typed)}</title></rect>
        ${w >= 28 ? svg`<text x=${(k + 0.5) * w} y=${height - 4}
          text-anchor="middle">${nameAt(subject, plane.colAxis, k)}</text>` : ''}`)}
      <path class="axis" d="M0 ${y(0)}H${width}" /></svg>`;
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
