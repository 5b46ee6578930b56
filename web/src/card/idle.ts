// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { Mechanism } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import { Later } from '../lazy-fetch.ts';
import type { Store } from '../state/store.ts';
import { isTrained } from '../state/writer.ts';
import { strings } from '../strings/en.ts';
import { cited } from '../strings/quote.ts';
import { icons } from '../styles/icons.ts';
import { about } from './about.ts';
import { bibtexOf } from './bibtex.ts';
import { coarse } from '../coarse-pointer.ts';

const origins = new Later(() => import('../state/random-parameters.ts'));
const systems = new Later(() => import('../gallery/system-sentences.ts'));
/** With nothing chosen the card says how to ask, how well the model does and what it is not, and whose work it is. */
export function idle(store: Store, host: { requestUpdate(): void }): unknown {
  const module = store.book.module(store.pictured);
  const chosen = [module, ...store.book.choices(store.pictured).map((choice) => choice.mechanism)];
  const mechanisms = [...new Set(chosen)].filter((m) => m?.source !== undefined && m.source !== null);
  const finger = coarse.matches;
  return html`<header><h2>${finger ? strings.idleTap : strings.idleTitle}</h2>
      ${finger ? nothing : html`<span class="note follows">${icons.open}${strings.follows}</span>`}</header>
    <p class="hint">${finger ? strings.idleTapText : strings.idleText}</p>
    ${systems.use(host)?.simplifiedOf(store, titleOf(store.documents.base), host) ?? nothing}
    ${about(store, systems.use(host)?.measuredAs(store, titleOf(store.documents.base), host),
      isTrained(store.documents.document) ? undefined : origins.use(host))}
    ${mechanisms.length === 0 ? nothing
      : html`<section class="mech"><h3>${strings.about.work}</h3><ul>${mechanisms.map((mechanism) => html`<li
      lang=${mechanism!.lang ?? nothing}>${mechanism!.title} <span
      class="note">${source(mechanism!.source!)}</span></li>`)}</ul>
      <details class="note"><summary>BibTeX</summary><p>${strings.about.noTitles}</p><pre class="bib" dir="ltr"
        data-part="bibtex">${bibtexOf(mechanisms.map((mechanism) => mechanism!.source!))}</pre></details></section>`}`;
}

const source = ({ authors, year, link, where }: NonNullable<Mechanism['source']>): unknown => html`${
  link.startsWith('https://')
  ? html`<a href=${link} rel="noopener noreferrer" target="_blank">${authors} ${year}</a>` : html`${authors} ${year}`}${
  where ? html`${strings.comma}${cited(where)}` : ''}`;
