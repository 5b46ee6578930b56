// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { naming } from '../directory/naming.ts';
import { plane, type Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { icons } from '../styles/icons.ts';
import { place } from '../styles/place.ts';

/** The table of a whole tensor below the picture, with its name and a button that closes it. */
export const wholeTable = (store: Store, table: Tensor, onKey: (event: KeyboardEvent) => void): unknown => {
  const name = strings.tableOf(naming(table).title || table.name);
  return html`<section @keydown=${onKey}><div class="tablehead" dir=${direction()}><h2>${name}</h2>
    <button class="icon" aria-label=${strings.close}
      @click=${() => store.view.show({ table: undefined })}>${icons.close}</button></div>
    <div class="sheet" data-part="table" tabindex="0" role="group" aria-label=${name} ${place({ 'max-height': 360 })}>
      <ap-table facts .places=${3} .plane=${plane(table, store.selection.chosen)}></ap-table></div></section>`;
};
