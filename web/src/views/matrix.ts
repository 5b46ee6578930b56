// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { domainOf } from '../colour/scale.ts';
import { axisOf } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import '../flow/matrix.ts';
import { csv, planeOf, scaleOf, type View } from './view.ts';

/** Rows and columns of coloured cells, with numbers where there is room for them. Whatever there is can be drawn so. */
export const matrix: View = {
  id: 'matrix',
  rank: 70,
  bare: true,
  accepts: () => true,
  draw(subject, { width, height }) {
    const { typed } = subject;
    const kind = scaleOf(typed);
    const plane = planeOf(subject);
    // Pixels are square.
    const image = axisOf(typed, 'height') >= 0 && axisOf(typed, 'width') >= 0;
    const side = Math.min(width / plane.cols, height / plane.rows);
    return html`<ap-matrix data-tensor=${subject.tensor.name} .plane=${plane} .kind=${kind}
      .domain=${domainOf(subject.tensor.data, kind)} .w=${image ? side * plane.cols : width}
      .h=${image ? side * plane.rows : height}></ap-matrix>`;
  },
  says(subject) {
    const { rows, cols } = planeOf(subject);
    return strings.pictures.matrix(rows, cols);
  },
  exports: (subject) => csv(subject),
};
