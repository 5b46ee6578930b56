// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { inWords } from '../state/notice.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { objection, quote, told } from '../strings/quote.ts';
import './waiting.ts';

/** What the page has to say above everything else: notices, and errors that no control answers for. */
export function messages(store: Store): unknown {
  const { looseError, view: { notice }, sessions: { error } } = store;
  const train = notice.find((one) => one.train)?.train;
  if (error?.refused) return html`<div class="notice bad" role="alert">${strings.refused}</div>`;
  return html`<ap-waiting></ap-waiting>${
    notice.length === 0 ? nothing
    : html`<div class="notice over" role="status"><span>${told(notice.map(inWords).join(' '))}</span>
      ${train ? html`<button class="link" data-part="train-it"
        @click=${() => store.view.show({ notice: [], place: 'train' })}>${strings[train]}</button>` : nothing}
      ${store.insteadShown ? html`<button class="link" data-part="undo"
        @click=${() => store.documents.undo()}>${strings.undo}</button>` : nothing}
      <button class="link" @click=${() => store.view.show({ notice: [] })}>${strings.dismiss}</button></div>`}
    ${store.slopes.allZero ? html`<div class="notice" role="status" data-part="all-zero">${
      strings.slopesAllZero(store.slopes.of)}</div>` : nothing}
    ${looseError === undefined ? nothing
      : html`<div class="notice bad"
      role="alert"><span>${looseError.stopped ? strings.engineStopped
      : objection(looseError.path && quote(looseError.path), looseError.message)} ${strings.stillShown}</span></div>`}`;
}
