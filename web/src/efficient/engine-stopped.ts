// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { reasonOf } from '../state/choice-rescue.ts';
import { whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import type { Grown } from './growth.ts';
import { words } from './words.ts';

// The engine says what to use less of where a size is the reason.
const isSize = (message: string): boolean => /\b(?:use|for) fewer\b/.test(message);

// What the engine advises is of no use here, where the number of words grows until it is refused.
const whyOf = (message: string): string =>
  reasonOf(message).split('; ')[0]!.replace(/\b\d{5,}\b/g, (digits) => whole(Number(digits)));

/** Where counts end behind the sizes that are timed: nothing is computed there, so fewer heads would not help. */
export const uncounted = (letter: string, { uncounted: end }: Grown): unknown => (end === undefined ? nothing
  : html`<div class="note" data-part="uncounted">${words().uncounted(letter, end.n)} <details><summary>${
    words().refusedWhy}</summary>${withQuotes(quote(whyOf(end.message)))}</details></div>`);

/**
 * Where a curve ends. Where that is for its size, the page says what would go on, and the engine's own sentence is for
 * whoever asks for it; any other reason is the engine's to say.
 */
export function ended(letter: string, { sizes, refused }: Grown): unknown {
  if (!refused) return nothing;
  const { n, message } = refused;
  const last = sizes[sizes.indexOf(n) - 1];
  const where = last === undefined ? words().refusedFirst(letter, n) : words().refusedAt(letter, last, n);
  if (!isSize(message)) return html`<div class="note" data-part="refused">${where} ${
    withQuotes(words().refusedBecause(quote(whyOf(message))))}</div>`;
  return html`<div class="note" data-part="refused">${where} ${
    last === undefined ? words().smaller : words().smallerOrCheaper}
    <details><summary>${words().refusedWhy}</summary>${withQuotes(quote(message))}</details></div>`;
}
