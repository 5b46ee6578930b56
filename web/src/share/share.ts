// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { Later } from '../lazy-fetch.ts';
import { isWritten, questionDraft } from '../lessons/question-draft.ts';
import { titleOf } from '../state/model.ts';
import { Part, reactive } from '../part.ts';
import { linkOf, NEW_SEED } from '../state/hash.ts';
import { isSeeded } from '../state/seeded.ts';
import { systemTitle } from '../state/system-title.ts';
import { strings } from '../strings/en.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { isChanged } from '../take/changed-title.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { bibtex, software } from '../take/software.ts';
import { words as own } from '../take/words.ts';
import { contentsOf } from './contents.ts';
import { filesBeside, savedText } from './saved.ts';
import { words as codeWords } from './words.ts';

const words = strings.sharing;
const form = new Later(() => import('../lessons/form.ts'), false);
const code = new Later(() => import('./qr-code.ts'), false);
/** What chat programs and learning platforms carry without cutting. */
export const SAFE_LENGTH = 2000;

/** The link to what is shown and the same as a file, with what each of them holds. */
export class ShareElement extends Part {
  private readonly clipboard = new Clipboard(this);
  @reactive unsaved!: boolean;
  /** Each reader of the link gets another seed. */
  @reactive anew!: boolean;
  /** The code of the link is open. */
  @reactive coded = false;
  /** The form of a question is open. */
  @reactive asks = false;

  static override styles = css`
    summary { cursor: pointer; min-height: var(--press); align-content: center; }
    :host { display: grid; gap: var(--space-7); padding: 0 var(--space-10) var(--space-10); }
    .line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-4); align-items: center; }
    .line input { height: var(--control); text-overflow: ellipsis; }
    .line label { grid-column: 1 / -1; margin-bottom: calc(-1 * var(--space-2)); color: var(--ink2); }
    .each { display: flex; gap: var(--space-3); align-items: center; min-height: var(--press); }
    .each input { accent-color: var(--ink); }
    .button.first { min-width: 84px; }
    .contents b { color: var(--ink2); font-weight: 400; }
    ul { margin: var(--space-1) 0 0; list-style: disc; padding-inline-start: var(--space-8); }
    .contents .button { margin-top: var(--space-3); }
    .warned { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center; margin: 0;
      padding: var(--space-4) var(--space-6); border: 1px solid var(--line2); border-radius: var(--radius); }
    .more { display: flex; flex-wrap: wrap; gap: var(--space-4); }
  `;

  constructor() {
    super();
    this.anew = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A question that was begun before the dialog was closed goes on.
    this.asks = isWritten(questionDraft(this.store).peek());
  }

  private get link(): string {
    const link = new URL(location.href);
    link.hash = linkOf(this.store) + (this.anew ? NEW_SEED : '');
    return link.href;
  }

  override render(): unknown {
    const { link } = this;
    const { documents: { document }, sessions: { result } } = this.store;
    const contents = contentsOf(this.store);
    const known = titleOf(this.store.documents.document);
    const called = known === undefined ? words.untitled : systemTitle(this.store.book, known, this);
    const title = known !== undefined && isChanged(this.store) ? strings.story.changed(called) : called;
    // Brackets in a title would end the Markdown link's text.
    const markdown = `[${title.replace(/[[\]\\]/g, '\\$&')}](${link})`;
    const { untaken } = this.store.trainings;
    const written = isWritten(questionDraft(this.store).value);
    const file = html`<button class="button ${contents.file ? 'first' : ''}" data-save="document"
      @click=${() => void this.keep()}>${words.file}</button>`;
    return html`${contents.file ? html`<p class="warned" role="alert" data-part="too-many">${words.tooManyTitle}
        ${file}</p>` : nothing}
      <div class="contents" data-part="holds"><b>${words.holds}</b>${this.list(contents.holds)}</div>
      <div class="contents" data-part="lacks"><b>${words.lacks}</b>${this.list(contents.lacks)}${
        untaken.value ? html`<button class="button" data-part="take-over"
          @click=${() => void untaken.peek()?.take()}>${words.takeIt}</button>` : nothing}</div>
      <p class="quiet">${contents.waiting ? words.checking : words.nowhere}</p>
      ${this.field('link', words.link, link, !contents.file && !written)}
      <p class="note" data-length=${link.length}>${words.length(link.length)}${
        link.length > SAFE_LENGTH ? html`. ${words.long()}` : nothing}</p>
      ${result && !isSeeded(document, result) ? nothing : html`<label class="each"><input type="checkbox"
        data-part="new-seed" .checked=${this.anew} @change=${(e: Event) =>
          (this.anew = (e.target as HTMLInputElement).checked)} />${words.newSeed}</label>`}
      <details data-part="qr" @toggle=${(e: Event) => (this.coded = (e.target as HTMLDetailsElement).open)}><summary>${
        codeWords().title}</summary>${
        this.coded && code.use(this) ? html`<ap-qr-code .link=${link}></ap-qr-code>` : nothing}</details>
      ${this.field('markdown', words.markdown, markdown)}
      <details data-part="question" ?open=${this.asks} @toggle=${(e: Event) =>
        (this.asks = (e.target as HTMLDetailsElement).open)}><summary>${words.question}</summary>${
        this.asks && form.use(this) ? html`<ap-question-form></ap-question-form>` : nothing}</details>
      <div class="more">
        ${'share' in navigator ? html`<button class="button"
          @click=${() => void navigator.share({ title, url: link }).catch(() => undefined)}>${words.send}</button>`
          : nothing}
        ${contents.file ? nothing : file}</div>
      <p class="note" data-part="file-holds">${words.fileHolds(contents.weights && contents.beside.length === 0,
        this.store.comparison.on)}${contents.beside.map((name) => html` ${withQuotes(words.beside(quote(name)))}`)}</p>
      <div class="contents" data-part="privacy"><b>${own().dataTitle}</b>${this.list(own().data)}</div>
      <div class="contents" data-part="cite"><b>${own().citeTitle}</b><p>${
        own().cite(software.name, software.version)} <a class="inline" target="_blank" rel="noopener noreferrer"
        href="https://www.apache.org/licenses/LICENSE-2.0">${own().licence(software.license)}</a></p></div>
      ${this.field('bibtex', 'BibTeX', bibtex(new URL('.', location.href.replace(/[?#].*/, '')).href, new Date()))}
      <p class="error" role="alert">${
        this.clipboard.refused ? words.copyFailed : this.unsaved ? words.fileFailed : ''}</p>
      <span class="unseen" role="status">${this.clipboard.copied ? words.copied : ''}</span>`;
  }

  private list(ends: readonly string[]): unknown {
    return html`<ul>${ends.map((end) => html`<li>${withQuotes(end)}</li>`)}</ul>`;
  }

  private field(name: string, label: string, text: string, first = false): unknown {
    return html`<div class="line"><label for=${name}>${label}</label>
      <input type="text" dir="ltr" id=${name} readonly .value=${text}
        @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
      <button class="button ${first ? 'first' : ''}" data-copy=${name}
        @click=${() => void this.clipboard.copy(text, `#${name}`, name)}>${
        this.clipboard.copied === name ? words.copied : words.copy}</button></div>`;
  }

  private async keep(): Promise<void> {
    this.unsaved = false;
    try {
      save(new Blob([await savedText(this.store)], { type: 'application/json' }),
        savedName(this, 'json'));
      for (const [name, file] of await filesBeside(this.store)) save(file, name);
    } catch {
      this.unsaved = true;
    }
  }
}
customElements.define('ap-share', ShareElement);
