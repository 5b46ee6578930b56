// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { domainOf } from '../colour/scale.ts';
import { strings } from '../strings/en.ts';
import '../flow/matrix.ts';
import { csv, planeOf, scaleOf, type View } from './view.ts';

/** Rows and columns of coloured cells, with numbers where there is room for them. Whatever there is can be drawn so. */
export const matrix: View = {
  id: 'matrix',
  accepts: () => true,
  draw(subject, { width, height }) {
    const kind = scaleOf(subject.typed);
    return html`<ap-matrix data-tensor=${subject.tensor.name} .plane=${planeOf(subject)} .kind=${kind}
      .domain=${domainOf(subject.tensor.data, kind)} .w=${width} .h=${height}></ap-matrix>`;
  },
  says(subject) {
    const { rows, cols } = planeOf(subject);
    return strings.pictures.matrix(rows, cols);
  },
  exports: (subject) => csv(subject),
};
