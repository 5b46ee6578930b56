// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { titleOf } from '../gallery/presets.ts';
import { Part } from '../part.ts';
import { linkOf } from '../state/hash.ts';
import { strings } from '../strings/en.ts';
import { base, fields } from '../styles/tokens.ts';
import { fileName, save } from '../take/save.ts';

const words = strings.sharing;
/** What chat programs and learning platforms carry without cutting. */
export const SAFE_LENGTH = 2000;

/** The link to what is shown, and the same document as a file. */
export class ShareElement extends Part {
  static override properties = { ...Part.properties, copied: { state: true }, failed: { state: true } };
  declare copied: string | undefined;
  declare failed: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    base,
    fields,
    css`
      :host { display: grid; gap: var(--space-7); padding: 0 var(--space-10) var(--space-10); }
      .line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-4); align-items: center; }
      .line input { height: var(--control); text-overflow: ellipsis; }
      .line label { grid-column: 1 / -1; margin-bottom: calc(-1 * var(--space-2)); color: var(--ink2); }
      .button.first { min-width: 84px; }
      .more { display: flex; flex-wrap: wrap; gap: var(--space-4); }
    `,
  ];

  private get link(): string {
    const link = new URL(location.href);
    link.hash = linkOf(this.store);
    return link.href;
  }

  override render(): unknown {
    const { link } = this;
    const title = titleOf(this.store.documents.document) ?? words.untitled;
    // Brackets in a title would end the Markdown link's text.
    const markdown = `[${title.replace(/[[\]\\]/g, '\\$&')}](${link})`;
    return html`<p class="quiet">${words.about}</p>
      ${this.field('link', words.link, link, true)}
      <p class="note" data-length=${link.length}>${words.length(link.length)}${
        link.length > SAFE_LENGTH ? html`. ${words.long()}` : nothing}</p>
      ${this.field('markdown', words.markdown, markdown)}
      <div class="more">
        ${'share' in navigator ? html`<button class="button"
          @click=${() => void navigator.share({ title, url: link }).catch(() => undefined)}>${words.send}</button>`
          : nothing}
        <button class="button" data-save="document" @click=${() => this.keep()}>${words.file}</button></div>
      ${this.store.comparison.on ? html`<p class="note">${words.oneSide}</p>` : nothing}
      <p class="error" role="alert">${this.failed ? words.copyFailed : ''}</p>
      <span class="unseen" role="status">${this.copied ? words.copied : ''}</span>`;
  }

  private field(name: string, label: string, text: string, first = false): unknown {
    return html`<div class="line"><label for=${name}>${label}</label>
      <input type="text" dir="ltr" id=${name} readonly .value=${text}
        @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
      <button class="button ${first ? 'first' : ''}" data-copy=${name}
        @click=${() => void this.copy(name, text)}>${this.copied === name ? words.copied : words.copy}</button></div>`;
  }

  private async copy(name: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.failed = false;
      this.copied = name;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.copied = undefined), 2000);
    } catch {
      this.failed = true;
      const field = this.renderRoot.querySelector<HTMLInputElement>(`#${name}`);
      field?.focus();
      field?.select();
    }
  }

  private keep(): void {
    const { document } = this.store.documents;
    save(new Blob([`${JSON.stringify(document, null, 2)}\n`], { type: 'application/json' }),
      fileName(document, 'json'));
  }
}
customElements.define('ap-share', ShareElement);
