// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { whilePending } from '../lazy-fetch.ts';
import { Part, property, reactive } from '../part.ts';
import { printable } from '../styles/print.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { type DialogName, dialogs } from './list.ts';

export const fetchDialog = (what: DialogName): Promise<unknown> => dialogs[what].load();

/** Shows one dialog at a time over the page; each is fetched when it is first wanted. */
export class DialogsElement extends Part {
  @property() size!: string;
  @reactive what: DialogName | undefined;
  @reactive lost!: boolean;
  /** What the dialog starts with, such as files that were dropped. */
  @reactive given: unknown;
  private readonly ready = new Set<DialogName>();

  static override styles = css`
    :host { display: contents; }
    /* It hangs from its top: what grows inside moves no button from under the pointer. */
    dialog {
      --top: clamp(16px, 9dvh, 88px); margin-block: var(--top) auto;
      width: min(640px, calc(100vw - 32px)); max-height: min(720px, calc(100dvh - var(--top) - 16px)); padding: 0;
      border: 1px solid var(--line2); border-radius: var(--radius-large);
      background: var(--raised); color: var(--ink); box-shadow: 0 12px 48px rgb(0 0 0 / 22%); overflow: hidden;
    }
    dialog[open] { display: flex; flex-direction: column; }
    dialog.wide { width: min(820px, calc(100vw - 32px)); }
    dialog.whole { --top: 16px; width: calc(100vw - 32px); max-width: 1560px; height: calc(100dvh - 32px);
      max-height: none; }
    dialog.small { width: 100vw; max-width: none; height: 100dvh; max-height: none; margin: 0; border: 0;
      border-radius: 0; }
    dialog::backdrop { background: rgb(20 18 14 / 32%); }
    .head { display: flex; align-items: center; justify-content: space-between; gap: var(--space-6);
      padding: var(--space-5) var(--space-5) var(--space-4); padding-inline-start: var(--space-10); flex: none; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    .in { overflow: auto; min-height: 0; flex: 1; }
    .lost { padding: var(--space-4) var(--space-10) var(--space-12); }
  `;

  /** Opens a dialog, or shuts the one that is open; settles when its part is drawn. */
  async show(what: DialogName | undefined, given?: unknown): Promise<void> {
    this.given = given;
    this.lost = false;
    this.what = what;
    if (what && !this.ready.has(what)) {
      try {
        await whilePending(dialogs[what].load());
        this.ready.add(what);
        this.requestUpdate();
      } catch {
        this.lost = true;
      }
    }
    await this.updateComplete;
    await this.renderRoot.querySelector<Part>('.in > *')?.updateComplete;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    printable(this);
  }

  override render(): unknown {
    const { what } = this;
    if (!what) return nothing;
    const { title, wide, whole, bare, part } = dialogs[what];
    const framed = !bare || this.lost;
    const small = bare || this.size === 'narrow';
    return html`<dialog class="${wide ? 'wide' : ''} ${whole ? 'whole' : ''} ${small ? 'small' : ''}"
      aria-labelledby=${framed ? 'title' : nothing} aria-label=${framed ? nothing : title()}
        @close=${() => (this.what = undefined)} @click=${this.outside} @keydown=${(e: Event) => e.stopPropagation()}
        @shut=${() => this.shut()} @go=${(e: CustomEvent<[DialogName, unknown?]>) => this.show(...e.detail)}>
      ${framed ? html`<div class="head"><h2 id="title">${title()}</h2><button class="icon" aria-label=${strings.close}
        @click=${() => this.shut()}>${icons.close}</button></div>` : nothing}
      <div class="in">${this.lost ? html`<p class="lost" role="alert">${strings.lost}</p>`
        : this.ready.has(what) ? part(this.given) : nothing}</div></dialog>`;
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  private shut(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  // The backdrop belongs to the dialog itself: a press on it has no other target.
  private outside(event: MouseEvent): void {
    if (event.composedPath()[0] === event.currentTarget) this.shut();
  }
}
customElements.define('ap-dialogs', DialogsElement);
