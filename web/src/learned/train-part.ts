// SPDX-License-Identifier: Apache-2.0
// The button that trains a system, and how long that takes.
import { html, nothing } from 'lit';
import learned from 'virtual:learned';
import { lastsSaid, pressSaid } from './duration.ts';
import { trainingOf } from './train.ts';

/** `brief`: without the sentence beside the button. */
export function trainPart(id: string, press: () => void, brief = false): unknown {
  const ahead = trainingOf(id);
  if (!ahead) return nothing;
  return html`<p><button class="link" data-part="train-system" title=${brief ? lastsSaid(ahead) : nothing}
    @click=${press}>${pressSaid(ahead, learned[id] !== undefined)}</button></p>${
    brief ? nothing : html`<p class="note" data-part="lasts">${lastsSaid(ahead)}</p>`}`;
}
