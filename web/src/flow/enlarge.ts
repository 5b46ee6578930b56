// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { naming } from '../directory/naming.ts';
import type { Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';

/** A button that gives one matrix the width of the page; of a single number there is nothing more to see. */
export function enlarge(store: Store, tensor: Tensor): unknown {
  if (tensor.shape.length === 0 || tensor.data.length < 2) return nothing;
  const label = strings.large.enlarge(naming(tensor).title || tensor.name);
  return html`<button class="slope" data-part="enlarge" aria-label=${label} title=${label}
    @click=${() => store.view.show({ large: tensor.name })}>${icons.large}</button>`;
}
