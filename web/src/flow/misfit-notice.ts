// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { unfitSaid } from '../controls/misfit-reason.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';

/** In place of a picture: what is tried out, and why there is no picture of it. */
export function unfit(store: Store): unknown {
  const { item, unpictured } = store.trial;
  if (!item || !unpictured) return nothing;
  return html`<div class="unfit" data-part="unfit" dir=${direction()}><div><b lang=${item.mechanism?.lang ?? nothing}>${
    item.mechanism?.title ?? strings.none}</b><p>${unfitSaid(store)}</p></div></div>`;
}
