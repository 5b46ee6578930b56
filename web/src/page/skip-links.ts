// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { FlowElement } from '../flow/flow.ts';
import { strings } from '../strings/en.ts';

// The first place in an element that the keyboard reaches.
const STOPS = 'button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';

/** The first stops of the keyboard: past the controls to the picture, or to what the model reads, where that is. */
export function skipLinks(root: ParentNode, toInputs: boolean): unknown {
  const inputs = (): HTMLElement | null | undefined =>
    root.querySelector('ap-inputs')?.shadowRoot?.querySelector<HTMLElement>(STOPS);
  return html`<nav aria-label=${strings.skip}><button class="skip"
    @click=${() => root.querySelector<FlowElement>('ap-flow')?.enter()}>${strings.skip}</button>${
    toInputs ? html`<button class="skip" data-part="skip-to-inputs"
      @click=${() => inputs()?.focus()}>${strings.skipToInputs}</button>` : nothing}</nav>`;
}
