// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { quote, told } from '../strings/quote.ts';
import { type Grown, SIZES } from './growth.ts';
import { words } from './words.ts';

/** Where a curve ends, and what would go on; the engine's own sentence is for whoever asks for it. */
export function ended(letter: string, { n, message }: NonNullable<Grown['refused']>): unknown {
  const last = SIZES[SIZES.indexOf(n) - 1];
  return html`<div class="note" data-part="refused">${last === undefined ? words().refusedFirst(letter, n)
    : words().refusedAt(letter, last, n)}
    <details><summary>${words().refusedWhy}</summary>${told(quote(message))}</details></div>`;
}
