// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { Part } from '../part.ts';
import { words } from './words.ts';

/** Leads from the whole computation back to the two sentences. */
export class EncoderBackElement extends Part {
  static override styles = css`:host { display: block; padding: var(--space-6) var(--space-8) 0; }`;

  override render(): unknown {
    return html`<button class="button" data-part="back" @click=${() => this.store.view.show({ how: false })}>${
      words().back}</button>`;
  }
}
customElements.define('ap-encoder-back', EncoderBackElement);
