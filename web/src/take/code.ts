// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { mechanismOf } from '../gallery/document-name.ts';
import { headingOf } from '../library/heading.ts';
import type { Doc } from '../engine/types.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { own } from '../strings/engine.ts';
import { digits } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { countedCode } from './counted-code.ts';
import { clearerLatex } from './latex-formula.ts';
import { words as moduleWords } from './module-words.ts';
import { headingsOf, writeModule, type Written } from './module.ts';
import { save } from '../state/save.ts';
import { savedName } from './saved-name.ts';
import { takeStyles } from './take.styles.ts';

const words = strings.take;
// A longer text makes the page slow; whoever wants it takes the file.
const LONGEST = 100_000;
const SHOWN = 20_000;
/** So long, in milliseconds, nobody waits: what is ready by then needs no word about it. */
const SOON = 250;

/** The beginning of code that is too long to be shown, in whole lines where these are short, and its size in MB. */
export function beginningOf(code: string): { start: string; megabytes: number } | undefined {
  if (code.length <= LONGEST) return undefined;
  const line = code.lastIndexOf('\n', SHOWN);
  return { start: code.slice(0, line > SHOWN / 2 ? line : SHOWN), megabytes: new Blob([code]).size / 1e6 };
}

type Format = keyof typeof words.formats;
type Kind = 'script' | 'module' | 'train';
const ENDINGS: Record<Format, string> = { latex: 'tex', pytorch: 'py', numpy: 'py' };

/** The computation as LaTeX, as scripts and as modules, written by the engine for this very document. */
export class CodeElement extends Part {
  @reactive format: Format = 'latex';
  /** The script of one example, or code that grows; formulas have one kind only. */
  @reactive kind: Kind = 'script';
  @reactive found: Written = {};
  private readonly clipboard = new Clipboard(this);
  /** Whoever asked has waited for a moment. */
  @reactive slow!: boolean;
  private asked = '';
  private stop: (() => void) | undefined;

  static override styles = takeStyles;

  private get shown(): Doc {
    return (this.store.sessions.result?.directory.document ?? this.store.documents.document) as Doc;
  }

  /** What this format can be written as. */
  private get kinds(): Kind[] {
    if (this.format === 'latex') return [];
    const trains = this.format === 'pytorch' && this.shown['training'] !== undefined;
    return trains ? ['script', 'module', 'train'] : ['script', 'module'];
  }

  private get chosen(): Kind {
    return this.kinds.includes(this.kind) ? this.kind : 'script';
  }

  override render(): unknown {
    const { format, kinds, chosen, found: { code, refused, lost } } = this;
    const pick = <T extends string>(title: string, names: T[], pressed: T, word: (name: T) => string,
      choose: (name: T) => void) => html`<div class="pick" role="group" aria-label=${title}>${names.map((name) =>
      html`<button aria-pressed=${name === pressed} data-pick=${name}
        @click=${() => choose(name)}>${word(name)}</button>`)}</div>`;
    const note = chosen === 'script' ? words.codeNotes[format]
      : chosen === 'train' ? moduleWords().trainNote : moduleWords().moduleNotes[format as 'pytorch' | 'numpy'];
    return html`${pick(words.tabs.code, Object.keys(words.formats) as Format[], format, (name) => words.formats[name],
      (name) => (this.format = name))}
      ${kinds.length > 0 ? pick(moduleWords().kind, kinds, chosen, (name) => moduleWords().kinds[name],
        (name) => (this.kind = name))
        : nothing}
      <p class="quiet">${note}</p>
      ${refused === undefined && lost === undefined ? nothing : this.problem(refused, lost)}
      ${code === undefined ? nothing : this.text(code)}
      <span class="unseen" role="status">${
        this.clipboard.copied ? words.copied : this.waits ? moduleWords().writing : ''}</span>
      ${this.waits ? html`<p class="quiet" aria-hidden="true">${moduleWords().writing}</p>` : nothing}`;
  }

  private get waits(): boolean {
    const { code, refused, lost } = this.found;
    return (this.slow || this.chosen !== 'script') && code === undefined && refused === undefined && lost === undefined;
  }

  private problem(refused: string | undefined, lost: string | undefined): unknown {
    const { chosen } = this;
    const sentence = refused === undefined ? moduleWords().lost(quote(lost!))
      : chosen === 'script' ? words.refused(quote(refused))
        : chosen === 'train' ? moduleWords().noTraining(quote(refused)) : moduleWords().noModule(quote(refused));
    return html`<p class="error" role="alert">${withQuotes(sentence)}</p>
      ${chosen === 'script' ? nothing : html`<div class="row"><button class="button" data-script
        @click=${() => (this.kind = 'script')}>${moduleWords().script}</button></div>`}`;
  }

  private text(code: string): unknown {
    const { format, chosen, found: { weights } } = this;
    const name = this.file();
    const label = chosen === 'script' ? words.formats[format] : moduleWords().kinds[chosen];
    const part = beginningOf(code);
    return html`${part ? html`<p class="quiet" data-part="beginning">${
        moduleWords().beginning(digits(part.megabytes, 2))}</p>` : nothing}
      <pre tabindex="0" aria-label=${label} data-code=${chosen === 'script' ? format : chosen}>${
        part ? `${part.start}\n…` : code}</pre>
      <div class="row"><button class="button first" data-copy="code"
        @click=${() => void this.clipboard.copy(code, 'pre')}>${
        this.clipboard.copied ? words.copied : words.copy}</button>
        <button class="button" data-save="code" @click=${() => save(new Blob([code], { type: 'text/plain' }), name)}>${
          words.save(chosen === 'script' ? `.${ENDINGS[format]}` : name)}</button>
        ${weights ? html`<button class="button" data-save="weights"
          @click=${() => save(new Blob([weights as BlobPart]), 'weights.safetensors')}>${
            words.save('weights.safetensors')}</button>` : nothing}</div>`;
  }

  // train.py imports model.py by this name.
  private file(): string {
    if (this.chosen === 'train') return 'train.py';
    if (this.chosen === 'module') return 'model.py';
    return savedName(this, ENDINGS[this.format], this.format === 'latex' ? '' : this.format);
  }

  override updated(): void {
    void this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.asked = '';
  }

  // The document that the shown numbers came from, so that the code gives these numbers.
  private async ask(): Promise<void> {
    const { format, chosen } = this;
    const document = JSON.stringify(this.shown);
    const asked = `${format} ${chosen} ${document}`;
    if (asked === this.asked) return;
    this.asked = asked;
    this.stop?.();
    this.found = {};
    this.slow = false;
    setTimeout(() => (this.slow ||= asked === this.asked), SOON);
    const found = chosen === 'script' ? await this.script(document, format) : await this.grown(document, asked);
    if (asked !== this.asked || !found) return;
    this.found = found.code === undefined ? found : { ...found,
      code: countedCode(format === 'latex' ? clearerLatex(found.code) : found.code, format) };
  }

  private async script(document: string, format: Format): Promise<Written | undefined> {
    const heading = this.heading(JSON.parse(document) as Doc);
    const answer = await this.store.client.send({ kind: 'export', document, format, heading });
    if (!answer) return undefined;
    const { code, error } = JSON.parse(answer.text) as { code?: string; error?: { message: string } };
    return error ? { refused: error.message } : { code: code! };
  }

  private async grown(document: string, asked: string): Promise<Written | undefined> {
    const { book } = this.store;
    await book.learn();
    if (asked !== this.asked) return undefined;
    const form = this.chosen === 'train' ? 'train' : this.format === 'numpy' ? 'numpy' : 'pytorch';
    const { written, stop } = writeModule(document, form, headingsOf(document, book));
    this.stop = stop;
    return written;
  }

  // The code's own words are English, and so is what stands above it.
  private heading(document: Doc): string {
    const named = mechanismOf(this.store.book, document);
    return headingOf(named && { ...named, ...own(named) });
  }
}
customElements.define('ap-code', CodeElement);
