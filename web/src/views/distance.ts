// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { exactly } from '../colour/numbers.ts';
import { csvText } from '../files/csv.ts';
import { strings } from '../strings/en.ts';
import { byDistance, isSquare } from './square.ts';
import { mostOf, planeOf, type Subject, type View, within, written } from './view.ts';

const LABEL = 16;
const HALF = 0.5;

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
    const most = mostOf(all.map(({ weight }) => weight));
    const tall = height - LABEL;
    const w = width / all.length;
    return svg`<svg class="ramp" width=${width} height=${height} role="img" aria-label=${this.says(subject)}>
      ${all.map((one, k) => svg`<rect class="bar" x=${k * w} width=${Math.max(0.5, w - (w > 3 ? 1 : 0))}
        y=${tall * (1 - within(one.weight / most, 0, 1))}
        height=${tall * within(one.weight / most, 0, 1)}><title>${exactly(one.distance)}: ${
        written(one.weight, subject.typed)}</title></rect>`)}
      <path class="axis" d="M0 ${tall}H${width}M${width / 2} 0V${tall}" />
      <text x="0" y=${height - 4}>${exactly(all[0]!.distance)}</text><text x=${width / 2} y=${height - 4}
        text-anchor="middle">0</text><text x=${width} y=${height - 4}
        text-anchor="end">+${all.at(-1)!.distance}</text></svg>`;
  },
  says: (subject) => strings.pictures.span(span(subject)),
  exports: (subject) => ({ ending: 'csv',
    text: csvText([['distance', 'weight'],
      ...byDistance(planeOf(subject)).map(({ distance, weight }) => [distance, weight])]) }),
  tells: () => true,
};
