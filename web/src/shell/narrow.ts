// SPDX-License-Identifier: Apache-2.0
// What the menu of a narrow header opens, over the whole page.
import { html, nothing } from 'lit';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { messages } from './messages.ts';

type Tab = 'mechanism' | 'inputs';

/** What a narrow header has no room for, where the mechanism is not set beside it. */
export const narrowMenu = (store: Store, tools: unknown): unknown => html`<main class="middle"
  aria-label=${strings.controls}><div class="scroll left">${messages(store)}${tools}</div></main>`;

/**
 * The same with the mechanism below it, or with the inputs above it and the map that changes as they are typed; under a
 * lesson these come first. `fixed`: what cannot be set.
 */
export function narrowControls(store: Store, tools: unknown, fixed: ReadonlySet<string>, chosen: Tab,
  choose: (tab: Tab) => void, lesson: unknown): unknown {
  const button = (tab: Tab) =>
    html`<button aria-pressed=${chosen === tab} @click=${() => choose(tab)}>${strings[tab]}</button>`;
  return html`<main class="middle" aria-label=${strings.controls}>
    <div class="tabs">${button('mechanism')}${button('inputs')}</div>
    <div class="scroll left">${lesson}${messages(store)}${chosen === 'mechanism'
      ? html`${lesson === nothing ? tools : nothing}<ap-panel ?inert=${fixed.has('controls')}></ap-panel>${
        lesson === nothing ? nothing : tools}`
      : html`<ap-inputs ?inert=${fixed.has('inputs')}></ap-inputs><ap-flow bare told></ap-flow>${tools}`}</div></main>`;
}
