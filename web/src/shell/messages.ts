// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { ways } from '../controls/notice-answers.ts';
import type { Json } from '../engine/types.ts';
import { fetchLost, partsLost } from '../lazy-fetch.ts';
import { absentModel } from '../state/absent-model.ts';
import { pathCalled } from '../state/path-names.ts';
import { inWords } from '../state/notice.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { objection, quote, withQuotes } from '../strings/quote.ts';
import './waiting.ts';

/** The lectures that embeds step through. */
export const stepped = new WeakMap<object, Json>();

// Where a document names the file of its weights.
const WEIGHTS = '/parameters/from';

/** A part that the reader needs did not come: said over whatever place of the page is shown. */
export function lostParts(): unknown {
  return partsLost() ? html`<div class="notice over lost" role="alert"><span>${strings.lost}</span><button class="link"
    data-part="fetch-lost" @click=${fetchLost}>${strings.tryAgain}</button></div>` : nothing;
}

// Whether the policy of the site lets WebAssembly be compiled; the module is the empty one.
function compiles(): boolean {
  try {
    return !!new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  } catch {
    return false;
  }
}

// As the menus call it, which is in the reader's language; a path is English.
function placeOf({ book, documents: { document } }: Store, path: string): string {
  const called = pathCalled(book, document, path);
  return called === path ? path && quote(path) : called;
}

/** What the page has to say above everything else: notices, and errors that no control answers for. */
export function messages(store: Store): unknown {
  const { looseError, sessions: { error } } = store;
  // What came of a choice is said where it was made.
  const notice = store.view.notice.filter(({ at }) => at === undefined);
  if (error?.refused) return html`<div class="notice bad" role="alert">${
    compiles() ? strings.unfetched : strings.refused}</div>`;
  const lecture = stepped.get(store);
  const steps = lecture === undefined ? nothing : html`<ap-moments .given=${lecture}></ap-moments>`;
  return html`${steps}<ap-waiting></ap-waiting>${
    notice.length === 0 ? nothing
    : html`<div class="notice over" role="status"><span>${
      withQuotes(notice.map((one) => inWords(one, store)).join(' '))}</span>
      ${ways(store)}</div>`}
    ${store.slopes.allZero ? html`<div class="notice" role="status" data-part="all-zero">${
      strings.slopesAllZero(store.slopes.of)}</div>` : nothing}
    ${looseError === undefined || (absentModel(store) !== undefined && store.view.place === 'look') ? nothing
      : html`<div class="notice bad"
      role="alert"><span>${looseError.stopped ? strings.engineStopped
      : looseError.crashed ? withQuotes(strings.engineCrashed(quote(looseError.message)))
      : looseError.unloaded ? strings.engineUnloaded
      : objection(placeOf(store, looseError.path), looseError.message)} ${
        looseError.path === WEIGHTS ? strings.weightsMissing : nothing} ${strings.stillShown}</span></div>`}`;
}
