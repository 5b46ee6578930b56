// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { axisOf, isLight } from '../directory/typed.ts';
import { veil, within } from '../elements/axis-range.ts';
import type { Plane } from '../engine/result.ts';
import { strings } from '../strings/en.ts';
import { csv, largestAt, mostOf, planeOf, rowOf, type View, written } from './view.ts';

const numbersOf = (plane: Plane): number[] => Array.from({ length: plane.rows }, (_, row) => rowOf(plane, row)).flat();

/** A picture by height and width. What is looked at little fades, so that the seen stays seen. */
export const picture: View = {
  id: 'picture',
  rank: 30,
  // How much something is seen is a share: of other numbers, no part could fade. What is a picture itself fades
  // nowhere.
  accepts: (typed) => typed.kind !== 'signed' && !isLight(typed) && axisOf(typed, 'height') >= 0
    && axisOf(typed, 'width') >= 0,
  draw(subject, { width, height }) {
    const plane = planeOf(subject);
    const side = Math.min(width / plane.cols, height / plane.rows);
    const most = mostOf(numbersOf(plane));
    const cells = Array.from({ length: plane.rows }, (_, row) => Array.from({ length: plane.cols }, (__, col) => {
      const share = within(plane.at(row, col) / most, 0, 1);
      return svg`<rect class="pixel" x=${col * side} y=${row * side} width=${side} height=${side}
        fill-opacity=${veil(share).toFixed(3)} />`;
    }));
    return svg`<svg width=${plane.cols * side} height=${plane.rows * side} role="img"
      aria-label=${this.says(subject)}>${cells}</svg>`;
  },
  says(subject) {
    const plane = planeOf(subject);
    const values = numbersOf(plane);
    const at = largestAt(values);
    return strings.pictures.brightest(Math.floor(at / plane.cols), at % plane.cols,
      written(values[at]!, subject.typed));
  },
  exports: (subject) => csv(subject),
};
