// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { titleOf } from '../gallery/presets.ts';
import { Later } from '../later.ts';
import type { Store } from '../state/store.ts';
import { lines } from '../styles/roles.ts';
import { strings } from '../strings/en.ts';
import { cited } from '../strings/quote.ts';

const systems = new Later(() => import('../gallery/told.ts'));

/** With nothing chosen the card says how to ask, and which mechanisms are at work. */
export function idle(store: Store, host: { requestUpdate(): void }): unknown {
  const module = store.book.module(store.documents.document);
  const chosen = [module, ...store.book.choices(store.documents.document).map((choice) => choice.mechanism)];
  const mechanisms = [...new Set(chosen)].filter((m) => m !== undefined);
  return html`<header><h2>${strings.idleTitle}</h2></header>
    <p class="hint">${strings.idleText}</p>
    ${systems.use(host)?.simplifiedOf(store, titleOf(store.documents.base)) ?? nothing}
    ${mechanisms.map((mechanism) => html`<section class="mech" lang=${mechanism.lang ?? nothing}>
      <b>${mechanism.title}</b>
      ${lines(mechanism.formula).map((latex) => html`<ap-math block .latex=${latex}></ap-math>`)}
      <p class="note">${mechanism.sentence}</p>
      ${mechanism.note ? html`<p class="note aside" data-part="note"
        lang=${mechanism.noteLang ?? nothing}>${mechanism.note}</p>` : nothing}
      ${mechanism.learns ? html`<p class="note aside"
        data-part="learns"><b>${strings.learnsTitle}.</b> <span
        lang=${mechanism.learnsLang ?? nothing}>${mechanism.learns}</span></p>` : nothing}
      ${mechanism.source ? html`<p class="note">${mechanism.source.link?.startsWith('https://')
        ? html`<a href=${mechanism.source.link} rel="noopener noreferrer"
        target="_blank">${mechanism.source.authors} ${mechanism.source.year}</a>`
        : html`${mechanism.source.authors} ${mechanism.source.year}`}${
        mechanism.source.where ? html`${strings.comma}${cited(mechanism.source.where)}` : ''}</p>` : nothing}
    </section>`)}`;
}
