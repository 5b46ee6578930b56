// SPDX-License-Identifier: Apache-2.0
import { svg } from 'lit';
import { maximum } from '../lists.ts';
import type { Head } from './measured-heads.ts';
import type { HeadMeasure } from './measures/measure.ts';

const WIDE = 176;
const TALL = 12;
const DOT = 4;

/** Where a number of a measure lies on its line: shares from 0 to 1, bits from 0 to the most that a row can have. */
export function reachOf(heads: readonly Head[], { unit }: HeadMeasure): number {
  return unit === 'share' ? 1 : maximum(heads.map(({ plane }) => Math.log2(plane.cols)), 1);
}

/** One line of a measure with a dot for each head: it shows whether the best one stands out or is merely first. */
export function dots(heads: readonly Head[], measure: HeadMeasure, best: Head | undefined): unknown {
  const reach = reachOf(heads, measure);
  const at = (value: number): number => DOT + (WIDE - 2 * DOT) * Math.min(1, Math.max(0, value / reach));
  const dot = (head: Head, kind: string) => svg`<circle class=${kind} cx=${at(head.scores[measure.id]!)}
    cy=${TALL / 2} r=${kind === 'best' ? DOT : DOT - 1}></circle>`;
  const scored = heads.filter(({ scores }) => scores[measure.id] !== undefined);
  return svg`<svg class="dots" width=${WIDE} height=${TALL} aria-hidden="true"><line x1="0" x2=${WIDE} y1=${TALL / 2}
    y2=${TALL / 2}></line>${scored.filter((head) => head !== best).map((head) => dot(head, ''))}${
    best && best.scores[measure.id] !== undefined ? dot(best, 'best') : ''}</svg>`;
}
