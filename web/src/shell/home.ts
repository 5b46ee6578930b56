// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { DialogName } from '../dialog/list.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { lectures, places } from '../places/places.ts';
import { listening } from '../listening.ts';
import { rank, type Rank } from '../turns.ts';

/** What can be taken home: a link, a frame for a page, a picture or code; and the lecture. Sends `dialog`. */
export class HomeElement extends Part {
  @reactive open!: boolean;
  /** Whether there is room for the button's words. */
  @property({ type: Boolean }) bare!: boolean;

  static override styles = css`
    :host { position: relative; display: inline-block; }
    [role='menu'] { position: absolute; z-index: 30; inset-inline-end: 0; top: calc(100% + 6px); min-width: 180px;
      padding: var(--space-3); display: grid; background: var(--raised); border: 1px solid var(--line2);
      border-radius: var(--radius); box-shadow: 0 6px 24px rgb(0 0 0 / 14%); }
    kbd { font: inherit; color: var(--ink2); margin-inline-start: auto; }
    [role='menuitem'] { justify-content: flex-start; width: 100%; min-height: 34px; }
  `;

  private readonly away = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  constructor() {
    super();
    listening(this, document, 'pointerdown', this.away);
  }

  // The tools beside it in the header would move if it came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { home } = places();
    return html`<button class=${this.bare ? 'icon' : 'text'} aria-haspopup="menu" aria-expanded=${Boolean(this.open)}
        aria-label=${home} title=${home} data-part="home" @click=${this.toggle}
        @keydown=${this.enter}>${icons.take}${this.bare ? nothing : html`<span>${home}</span>`}</button>
      ${this.open ? html`<div role="menu" aria-label=${home} @keydown=${this.move}>
        ${this.item('share', strings.sharing.open, icons.link)}
        ${this.item('embed', strings.embed.open, icons.embed)}
        ${this.item('take', strings.take.open, icons.take)}
        ${this.item('lecture', places().lecture, icons.large, 'P')}</div>` : nothing}`;
  }

  private item(what: DialogName, text: string, icon: unknown, key?: string): unknown {
    return html`<button class="text" role="menuitem" tabindex="-1" data-dialog=${what} title=${key ?? nothing}
      aria-keyshortcuts=${key ?? nothing} ?disabled=${what === 'lecture' && !lectures(this.store)} @click=${() => {
      this.open = false;
      // A dialog gives the focus back to where it was.
      this.button().focus();
      this.dispatchEvent(new CustomEvent('dialog', { detail: what }));
    }}>${icon}${text}${key === undefined ? nothing : html`<kbd>${key}</kbd>`}</button>`;
  }

  private toggle(): void {
    this.open = !this.open;
    if (this.open) void this.updateComplete.then(() => this.items()[0]?.focus());
  }

  private button(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('[data-part="home"]')!;
  }

  private items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role="menuitem"]:enabled')];
  }

  private enter(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' || this.open) return;
    event.preventDefault();
    this.toggle();
  }

  private move(event: KeyboardEvent): void {
    const items = this.items();
    const at = items.indexOf(this.renderRoot instanceof ShadowRoot
      ? this.renderRoot.activeElement as HTMLElement : items[0] as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key === 'Escape' || event.key === 'Tab') {
      this.open = false;
      if (event.key === 'Tab') return;
      this.button().focus();
    } else if (event.key in steps) {
      items[((steps[event.key] ?? 0) + items.length) % items.length]?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
customElements.define('ap-home', HomeElement);
