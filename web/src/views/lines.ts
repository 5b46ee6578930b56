// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { axisOf } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import '../flow/lines.ts';
import { csv, largestAt, nameAt, planeOf, rowOf, type View } from './view.ts';

/** A line from each query to the keys that it looks at, as wide as the weight. */
export const lines: View = {
  id: 'lines',
  rank: 80,
  accepts: (typed) => typed.kind === 'probability' && axisOf(typed, 'query') >= 0 && axisOf(typed, 'key') >= 0,
  draw: (subject, { width, height }) =>
    html`<ap-lines rowNames .plane=${planeOf(subject)} .w=${width} .h=${height}></ap-lines>`,
  says(subject) {
    const plane = planeOf(subject);
    return Array.from({ length: plane.rows }, (_, row) => {
      const values = rowOf(plane, row);
      return strings.pictures.looksAt(nameAt(subject, plane.rowAxis, row),
        nameAt(subject, plane.colAxis, largestAt(values)));
    }).join(strings.comma);
  },
  exports: (subject) => csv(subject),
};
