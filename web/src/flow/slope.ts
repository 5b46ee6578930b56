// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { naming } from '../directory/naming.ts';

/** The toggle beside a matrix: its numbers, or the gradient to them. */
export function slopeToggle(store: Store, tensor: Tensor): unknown {
  if (!store.slopes.offers(tensor)) return nothing;
  const outcome = store.sessions.result?.outcome();
  const name = strings.gradientToggle(outcome ? naming(outcome).title : moduleCalled(store.slopes.of),
    naming(tensor).title || tensor.name);
  return html`<button class="slope" data-slope=${tensor.name} aria-pressed=${store.slopes.isOn(tensor)}
    aria-label=${name} title=${name}
    @click=${() => store.slopes.toggle(tensor)}>∂</button>`;
}
