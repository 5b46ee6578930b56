// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { headingOf } from '../library/heading.ts';
import type { Doc } from '../engine/types.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { own } from '../strings/engine.ts';
import { quote, told } from '../strings/quote.ts';
import { base, fields } from '../styles/tokens.ts';
import { fileName, save } from './save.ts';
import { takeStyles } from './take.styles.ts';

const words = strings.take;
type Format = keyof typeof words.formats;
const ENDINGS: Record<Format, string> = { latex: 'tex', pytorch: 'py', numpy: 'py' };

/** The computation as LaTeX and as scripts, written by the engine for this very document. */
export class CodeElement extends Part {
  static override properties = { ...Part.properties, format: { state: true }, code: { state: true },
    refused: { state: true }, copied: { state: true } };
  declare format: Format;
  declare code: string | undefined;
  declare refused: string | undefined;
  declare copied: boolean;
  private asked = '';

  constructor() {
    super();
    this.format = 'latex';
  }

  static override styles = [base, fields, takeStyles];

  override render(): unknown {
    const { format, code, refused } = this;
    return html`<div class="pick" role="group"
      aria-label=${words.tabs.code}>${(Object.keys(words.formats) as Format[]).map((name) => html`<button
        aria-pressed=${name === format} data-format=${name}
        @click=${() => (this.format = name)}>${words.formats[name]}</button>`)}</div>
      <p class="quiet">${words.codeNotes[format]}</p>
      ${refused === undefined ? nothing
        : html`<p class="error" role="alert">${told(words.refused(quote(refused)))}</p>`}
      ${code === undefined ? nothing
        : html`<pre tabindex="0" aria-label=${words.formats[format]} data-code=${format}>${code}</pre>
        <div class="row"><button class="button first" data-copy="code"
          @click=${() => void this.copy(code)}>${this.copied ? words.copied : words.copy}</button>
          <button class="button" data-save="code"
            @click=${() => this.keep(code)}>${words.save(`.${ENDINGS[format]}`)}</button></div>`}
      <span class="unseen" role="status">${this.copied ? words.copied : ''}</span>`;
  }

  override updated(): void {
    void this.ask();
  }

  // The document that the shown numbers came from, so that the code gives these numbers.
  private async ask(): Promise<void> {
    const { format } = this;
    const document = JSON.stringify(this.store.sessions.result?.directory.document ?? this.store.documents.document);
    const asked = `${format} ${document}`;
    if (asked === this.asked) return;
    this.asked = asked;
    this.code = this.refused = undefined;
    const heading = this.heading(JSON.parse(document) as Doc);
    const answer = await this.store.client.send({ kind: 'export', document, format, heading });
    if (!answer || asked !== this.asked) return;
    const { code, error } = JSON.parse(answer.text) as { code?: string; error?: { message: string } };
    this.code = code;
    this.refused = error?.message;
  }

  // The code's own words are English, and so is what stands above it.
  private heading(document: Doc): string {
    const module = this.store.book.module(document);
    return headingOf(module && { ...module, title: own(module).title });
  }

  private async copy(code: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      this.copied = true;
      setTimeout(() => (this.copied = false), 2000);
    } catch {
      const shown = this.renderRoot.querySelector('pre');
      if (shown) getSelection()?.selectAllChildren(shown);
    }
  }

  private keep(code: string): void {
    save(new Blob([code], { type: 'text/plain' }),
      fileName(this.store.documents.document, ENDINGS[this.format], this.format === 'latex' ? '' : this.format));
  }
}
customElements.define('ap-code', CodeElement);
