// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { encode } from '../state/hash.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { base, fields } from '../styles/tokens.ts';

/** Title, history, link and colours; tells the shell to open the controls where they are hidden. */
export class HeaderElement extends Part {
  static override properties = { ...Part.properties, size: {}, theme: {}, open: { type: Boolean }, copied: { state: true } };
  declare size: string;
  declare theme: 'light' | 'dark';
  declare open: boolean;
  declare copied: boolean;

  static override styles = [
    base,
    fields,
    css`
      :host { display: flex; align-items: center; gap: 4px; height: 48px; padding: 0 12px 0 16px; border-bottom: 1px solid var(--line); }
      h1 { font-size: 16px; font-weight: 600; margin: 0 16px 0 0; white-space: nowrap; }
      .gap { flex: 1; }
      [data-part='compare'][aria-pressed='true'], [data-part='compare'][aria-pressed='true']:hover:not(:disabled) { background: var(--ink); color: var(--background); }
      @media (pointer: coarse) { .icon, .text { min-width: 44px; height: 44px; } }
    `,
  ];

  override render(): unknown {
    const { store, size } = this;
    const small = size === 'narrow';
    return html`<h1>${strings.title}</h1>
      ${small ? html`<span class="gap"></span>` : nothing}
      <button class="icon" aria-label=${strings.undo} title=${strings.undo} ?disabled=${!store.canUndo} @click=${() => store.undo()}>${icons.undo}</button>
      ${small ? nothing : html`<button class="icon" aria-label=${strings.redo} title=${strings.redo} ?disabled=${!store.canRedo} @click=${() => store.redo()}>${icons.redo}</button>`}
      ${small ? nothing : html`<button class="text" @click=${() => store.reset()}>${icons.reset}${strings.reset}</button><span class="gap"></span>`}
      <button class=${small ? 'icon' : 'text'} aria-label=${strings.compare} aria-pressed=${store.comparison.on} data-part="compare"
        @click=${() => (store.comparison.on ? store.comparison.stop() : store.comparison.start())}>${icons.compare}${small ? nothing : strings.compare}</button>
      <button class=${small ? 'icon' : 'text'} aria-label=${strings.copyLink} @click=${() => this.copy()}>${icons.link}${small ? nothing : this.copied ? strings.linkCopied : strings.copyLink}</button>
      ${small ? nothing : html`<button class="icon" aria-label=${this.theme === 'dark' ? strings.themeToLight : strings.themeToDark}
        @click=${() => this.dispatchEvent(new CustomEvent('theme'))}>${icons.theme}</button>`}
      ${size === 'narrow' || size === 'drawer' ? html`<button class="icon" aria-label=${this.open ? strings.hide : strings.show} aria-expanded=${this.open}
        @click=${() => this.dispatchEvent(new CustomEvent('controls'))}>${this.open ? icons.close : icons.menu}</button>` : nothing}
      <span class="unseen" role="status">${this.copied ? strings.linkCopied : ''}</span>`;
  }

  private async copy(): Promise<void> {
    const link = new URL(location.href);
    link.hash = encode(this.store.document);
    try {
      await navigator.clipboard.writeText(link.href);
      this.copied = true;
      setTimeout(() => (this.copied = false), 2000);
    } catch {
      // Without permission to the clipboard the address bar still holds the same link.
      location.hash = link.hash;
    }
  }
}
customElements.define('ap-header', HeaderElement);
