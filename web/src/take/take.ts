// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { untakenHint } from '../learned/origin-sentences.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import './code.ts';
import './picture.ts';
import './tensors.ts';

const words = strings.take;
type Tab = keyof typeof words.tabs;
const tabs = Object.keys(words.tabs) as Tab[];

/** Everything that can be taken along: a picture, the numbers, the formula, code. */
export class TakeElement extends Part {
  @reactive tab: Tab = 'picture';

  static override styles = css`
    :host { display: block; }
    .tabs { position: sticky; top: 0; z-index: 1; background: var(--raised); display: flex; gap: var(--space-2);
      padding: 0 var(--space-7); border-bottom: 1px solid var(--line); }
    .tabs button { height: var(--control-large); padding: 0 var(--space-4); font-size: var(--text-read);
      color: var(--ink2); border-bottom: 2px solid transparent; }
    .tabs button[aria-selected='true'] { color: var(--ink); font-weight: 600; border-color: var(--ink); }
    .tabs button:focus-visible { outline-offset: -3px; }
    .one { padding: var(--space-5) var(--space-10) 0; }
    .panel { padding: var(--space-8) var(--space-10) var(--space-10); min-height: 320px; }
  `;

  override render(): unknown {
    const { store, tab } = this;
    const parts = {
      picture: () => html`<ap-picture></ap-picture>`,
      numbers: () => html`<ap-tensors></ap-tensors>`,
      code: () => html`<ap-code></ap-code>`,
    };
    return html`<div class="tabs" role="tablist" aria-label=${words.title}
      @keydown=${this.key}>${tabs.map((name) => html`<button role="tab" id="tab-${name}" aria-controls="panel"
        aria-selected=${tab === name} tabindex=${tab === name ? 0 : -1}
        @click=${() => (this.tab = name)}>${words.tabs[name]}</button>`)}</div>
      ${store.comparison.on && tab !== 'picture' ? html`<p class="note one">${strings.sharing.oneSide}</p>` : nothing}
      <div class="one">${untakenHint(store, true)}</div>
      <div class="panel" id="panel" role="tabpanel"
        aria-labelledby="tab-${tab}">${store.sessions.result ? parts[tab]() : html`<p>${words.waiting}</p>`}</div>`;
  }

  private key(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(this.tab) + by + tabs.length) % tabs.length];
    if (!next) return;
    this.tab = next;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus());
  }
}
customElements.define('ap-take', TakeElement);
