// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { full } from '../colour/numbers.ts';
import { naming } from '../directory/naming.ts';
import { inWords } from '../flow/highlight.ts';
import { Part } from '../part.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { inside } from '../strings/language.ts';
import { base } from '../styles/tokens.ts';

/** What is pointed at or locked, in words and its number. */
export function liveOf(store: Store): unknown {
  const target = store.selection.hover ?? store.selection.lock;
  const value = target && store.numberAt(target);
  if (!target || value === undefined) return '';
  const tensor = store.sessions.result?.find(target.tensor, target.group);
  return html`<span>${inWords(store, target)}${strings.comma}${
    inside(tensor ? naming(tensor).one : '')}</span> <b dir="ltr">${full(value)}</b>`;
}

/** The same for whoever hears the page, where the bar that shows it is left out. */
export class LiveElement extends Part {
  static override styles = [base];

  override render(): unknown {
    return html`<span class="unseen" role="status" aria-live="polite">${liveOf(this.store)}</span>`;
  }
}
customElements.define('ap-live', LiveElement);
