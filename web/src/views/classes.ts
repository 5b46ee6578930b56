// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from 'lit';
import type { Typed } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { csv, nameAt, planeOf, rowOf, type Subject, type View, written } from './view.ts';

const CHIPS = 64;
const BAND = 22;

/** The axis that tokens stand along, when it is the last and what stands before it are heads and repetitions. */
function tokensOf({ kind, dimensions }: Typed): number {
  const last = dimensions.at(-1);
  const words = kind === 'index' && (last?.role === 'query' || last?.role === 'key') && last.time !== true;
  return words && dimensions.slice(0, -1).every(({ role }) => role === 'feature' || role === 'head')
    ? dimensions.length - 1 : -1;
}

/** Rows of classes, a token a column. */
const rowsOf = (subject: Subject) => {
  const at = tokensOf(subject.typed);
  return planeOf(subject, [at > 0 && subject.typed.dimensions[at - 1]!.role === 'feature' ? at - 1 : -1, at]);
};

const LIGHTEST_DARK = 0.6;
// Shades on which neither dark nor light letters could be read, in either theme, are left out.
const shareOf = (at: number): number => (at <= 0.5 ? 0.1 + 0.9 * at : 0.88 + 0.24 * (at - 0.5));

const asClass = (one: number): string => written(one, { kind: 'index' });

/** A strip of classes under one another; a token's shade is its class among those that are there. */
export function shades(subject: Subject, rows: readonly (readonly number[])[], axis: number, width: number): unknown {
  const count = rows[0]?.length ?? 0;
  return rows.map((row, nth) => {
    const which = rows.length > 1 ? html`<span class="nth">${strings.pictures.row(nth)}</span>` : nothing;
    const known = [...new Set(row)].toSorted((a, b) => a - b);
    // One that is no number is a class as well.
    const nthOf = (one: number) => known.findIndex((other) => Object.is(other, one));
    const share = (one: number) => shareOf(known.length < 2 ? 0.5 : nthOf(one) / (known.length - 1));
    if (count > CHIPS) return html`${which}<svg class="strip" width=${width} height=${BAND} role="img"
      aria-label=${strings.pictures.groups(known.length, count)}>${
      row.map((one, k) => svg`<rect class="class" x=${(k * width) / count} width=${width / count + 0.3} height=${BAND}
      fill-opacity=${share(one).toFixed(2)}><title>${nameAt(subject, axis, k)}: ${
      asClass(one)}</title></rect>`)}</svg>`;
    return html`${which}<ol class="chips" aria-label=${strings.pictures.groups(known.length, count)}>${
      row.map((one, k) => html`<li class=${share(one) > LIGHTEST_DARK ? 'dark' : ''}
      data-class=${asClass(one)} ${place({ '--share': `${(100 * share(one)).toFixed(0)}%` })}>${
      nameAt(subject, axis, k)}<sub>${asClass(one)}</sub></li>`)}</ol>`;
  });
}

/** What each token is sorted into, on the tokens themselves: buckets, clusters. */
export const classes: View = {
  id: 'classes',
  rank: 10,
  accepts: (typed) => tokensOf(typed) >= 0,
  draw(subject, { width }) {
    const plane = rowsOf(subject);
    return html`<div class="classes">${
      shades(subject, Array.from({ length: plane.rows }, (_, row) => rowOf(plane, row)), plane.colAxis, width)}</div>`;
  },
  says(subject) {
    const plane = rowsOf(subject);
    return strings.pictures.groups(new Set(rowOf(plane, 0)).size, plane.cols);
  },
  exports: (subject) => csv(subject, rowsOf(subject)),
  tells: () => true,
};
