// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { strings } from '../strings/en.ts';
import { csv, nameAt, planeOf, rowOf, type View, written } from './view.ts';

const MOST = 64;

/** What is chosen at each step, such as a word of a vocabulary: its number says which one it is, and no more. */
export const chosen: View = {
  id: 'chosen',
  rank: 75,
  accepts: ({ dimensions, kind }, shape) => kind === 'index' && dimensions.length === 1 && shape[0]! <= MOST,
  draw(subject) {
    const plane = planeOf(subject);
    return html`<ol class="chips" aria-label=${this.says(subject)}>${rowOf(plane, 0).map((value, k) => {
      const word = subject.word?.(value);
      return html`<li title=${nameAt(subject, plane.colAxis, k)}>${word ?? nothing}<sub>${
        written(value, subject.typed)}</sub></li>`;
    })}</ol>`;
  },
  says(subject) {
    const values = rowOf(planeOf(subject), 0);
    return values.map((value) => subject.word?.(value) ?? written(value, subject.typed)).join(strings.comma);
  },
  exports: (subject) => csv(subject),
};
