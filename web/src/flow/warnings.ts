// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { Located } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { direction, language } from '../strings/language.ts';
import { quote, withQuotes } from '../strings/quote.ts';

const MOST = 4;

/** What the engine warns of: the first of its sentences, and how many more there are. */
export const warned = (warnings: readonly Located[]): unknown => (warnings.length === 0 ? nothing
  : html`<div class="warn note" role="status" dir=${direction()}>${
    language() === 'en' ? nothing : html`<span>${strings.engineWarns}</span>`}${
    warnings.slice(0, MOST).map((one) => html`<span>${withQuotes(quote(one.message))}</span>`)}${
    warnings.length > MOST ? html`<span>${strings.moreTokens(warnings.length - MOST)}</span>` : nothing}</div>`);
