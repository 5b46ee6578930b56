// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { csvText } from '../files/csv.ts';
import { strings } from '../strings/en.ts';
import { shades } from './classes.ts';
import { groupsOf, isSquare } from './square.ts';
import { nameAt, planeOf, type View } from './view.ts';

/** Tokens that share one row of weights, coloured alike: the clusters of a form that has some. */
export const alike: View = {
  id: 'alike',
  rank: 130,
  // Rows of weights: what else is square, a ramp for instance, shares nothing by being alike.
  accepts: (typed, shape) => typed.role === 'weights' && isSquare(typed, shape),
  draw: (subject, { width }) => html`<div
    class="classes">${shades(subject, [groupsOf(planeOf(subject))], planeOf(subject).rowAxis, width)}</div>`,
  says(subject) {
    const groups = groupsOf(planeOf(subject));
    return strings.pictures.shareRows(new Set(groups).size, groups.length);
  },
  exports(subject) {
    const plane = planeOf(subject);
    return { ending: 'csv',
      text: csvText(groupsOf(plane).map((group, k) => [nameAt(subject, plane.rowAxis, k), group])) };
  },
  tells(subject) {
    const groups = groupsOf(planeOf(subject));
    return new Set(groups).size < groups.length;
  },
};
