// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { axisOf, isLight } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import { csv, planeOf, type Subject, type View, written } from './view.ts';

const largestOf = (subject: Subject) => {
  const plane = planeOf(subject);
  let best: [row: number, col: number, value: number] = [0, 0, -Infinity];
  for (let row = 0; row < plane.rows; row++)
    for (let col = 0; col < plane.cols; col++) if (plane.at(row, col) > best[2]) best = [row, col, plane.at(row, col)];
  return best;
};

/**
 * How much of a place is hidden that gets this share of the largest: what is not looked at fades, so that the seen
 * stays seen.
 */
export const veil = (share: number): number => 1 - share;

/** A picture by height and width. What is looked at little fades, so that the seen stays seen. */
export const picture: View = {
  id: 'picture',
  // How much something is seen is a share: of other numbers, no part could fade. What is a picture itself fades
  // nowhere.
  accepts: (typed) => typed.kind !== 'signed' && !isLight(typed) && axisOf(typed, 'height') >= 0
    && axisOf(typed, 'width') >= 0,
  draw(subject, { width, height }) {
    const plane = planeOf(subject);
    const side = Math.min(width / plane.cols, height / plane.rows);
    const most = Math.max(largestOf(subject)[2], Number.MIN_VALUE);
    const cells = Array.from({ length: plane.rows }, (_, row) => Array.from({ length: plane.cols }, (__, col) => {
      const share = Math.min(1, Math.max(0, plane.at(row, col) / most));
      return svg`<rect class="pixel" x=${col * side} y=${row * side} width=${side} height=${side}
        fill-opacity=${veil(share).toFixed(3)} />`;
    }));
    return svg`<svg width=${plane.cols * side} height=${plane.rows * side} role="img"
      aria-label=${this.says(subject)}>${cells}</svg>`;
  },
  says(subject) {
    const [row, col, value] = largestOf(subject);
    return strings.pictures.brightest(row, col, written(value, subject.typed));
  },
  exports: (subject) => csv(subject),
};
