// SPDX-License-Identifier: Apache-2.0
// What is being done until the first next words are there, in the room that they will take.
import { html, nothing } from 'lit';
import { fixed } from '../strings/numerals.ts';
import { words } from './words.ts';

const MEGA = 1e6;
/** So many words the engine lists. */
const LISTED = 10;
const mega = (bytes: number): string => fixed(bytes / MEGA, 1);

/** Bytes of the weights that were read, of all; undefined before the first of them. */
export type Read = readonly [done: number, all: number] | undefined;

/** Rows without words, as high as those with words. */
export const blankRows = (count = LISTED): unknown => html`<div class="next" aria-hidden="true">${
  Array.from({ length: Math.min(count, LISTED) }, () => html`<span class="link blank">…</span>
    <div><div class="bar"></div></div><span>…</span>`)}</div>`;

/** The weights are read first, with their bytes; how long the words take is not known. */
export function wordsOnTheWay(read: Read): unknown {
  const reads = read !== undefined && read[0] < read[1];
  return html`<p class="note coming" role="status" data-part="doing"><progress max="1" value=${
    reads ? read[0] / read[1] : nothing} aria-label=${words().next}></progress> ${
    reads ? words().readingForWords(mega(read[0]), mega(read[1])) : words().computingWords}</p>`;
}
