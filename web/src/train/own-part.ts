// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { chosenFiles } from '../files/chosen-files.ts';
import { Part, reactive } from '../part.ts';
import type { Desk } from './train-state.ts';
import { workersForOne } from './open.ts';
import { divided } from './settings.ts';
import { documentOf, EXAMPLES, type Kind, KINDS, understood, type Understood } from './own-data.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

const TYPES = '.txt,.tsv,.csv,text/plain,text/csv,text/tab-separated-values';
/** The engine reads 4,000,000 bytes and says so; a file many times that long would stop the page before. */
const LONGEST = 32_000_000;
/** A field with a million lines stops the page for minutes: of a longer text it shows the beginning alone. */
const FIELD = 100_000;
const BEGINNING = 2_000;

/** A reader's own lines become what is learned: pasted, from a file, or dropped. */
export class TrainOwnElement extends Part {
  @reactive desk!: Desk;
  @reactive tooLong = false;
  private counted: { kind: Kind; text: string; found: Understood | undefined } | undefined;

  static override styles = [controlStyles, css`
    :host { display: grid; gap: var(--space-4); padding-top: var(--space-2); }
    fieldset { display: grid; gap: var(--space-2); border: 0; padding: 0; margin: 0; min-width: 0; }
    label.kind { min-height: var(--finger); display: grid; grid-template-columns: auto minmax(0, 1fr);
      gap: 0 var(--space-4); align-items: center; }
    .kind code { grid-column: 2; overflow-wrap: anywhere; white-space: pre-wrap; font-size: var(--text-note);
      color: var(--ink2); }
    textarea { width: 100%; min-height: 120px; resize: vertical; white-space: pre; overflow: auto; tab-size: 8;
      padding: var(--space-3) var(--space-4); }
    .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; }
    .bad { overflow-wrap: anywhere; }
  `];

  constructor() {
    super();
    this.addEventListener('dragover', this.over);
    this.addEventListener('drop', this.drop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Whoever looks elsewhere meanwhile is told there.
    if (this.desk.training.problem === undefined) this.desk.draft.taken();
  }

  override updated(): void {
    const { draft, training } = this.desk;
    if (draft.asked === undefined || training.phase === 'beginning' || training.problem !== undefined) return;
    draft.taken();
    // Where there is room for one thing only, it is what is learned now.
    this.desk.tab = 'map';
  }

  override render(): unknown {
    const { desk } = this;
    const { draft } = desk;
    const own = words().own;
    const long = draft.text.length > FIELD;
    const problem = desk.ownProblem;
    return html`<fieldset><legend class="quiet">${own.kindOf}</legend>${KINDS.map((kind) => html`<label class="kind">
        <input type="radio" name="kind" value=${kind} .checked=${draft.kind === kind}
          @change=${() => { draft.kind = kind; }} /><span>${own.kinds[kind]}</span>
        <code dir="ltr">${EXAMPLES[kind].replace('\t', ' ⇥ ')}</code></label>`)}</fieldset>
      <textarea dir=${draft.text === '' ? nothing : 'auto'} spellcheck="false" wrap="off" aria-label=${own.paste}
        placeholder=${own.placeholders[draft.kind]} aria-describedby="found" aria-invalid=${String(!!problem)}
        .value=${long ? draft.text.slice(0, BEGINNING) : draft.text} ?readonly=${long} @keydown=${this.tab}
        @paste=${this.pasted}
        @input=${(e: Event) => this.typed((e.target as HTMLTextAreaElement).value)}></textarea>
      ${long ? html`<p class="row-of"><span class="quiet">${own.beginning}</span><button class="link"
        data-part="own-empty" @click=${() => this.typed('')}>${own.empty}</button></p>` : nothing}
      <div id="found"><p class="quiet" role="status" data-part="understood">${this.says()}</p>
        ${this.tooLong ? html`<p class="bad" role="alert">${own.tooLong}</p>` : nothing}
        ${problem === undefined ? nothing : html`<p class="bad" role="alert"
          data-part="own-problem">${words().refused} <span
          lang="en">${problem.message}</span></p>`}</div>
      <p class="row-of"><label class="button file">${own.file}<input class="unseen" type="file" accept=${TYPES}
          data-part="own-file" @change=${this.chosen} /></label><button class="button first" data-part="own-train"
          ?disabled=${this.found() === undefined || desk.training.phase === 'beginning'}
          @click=${() => this.train()}>${own.train}</button></p>`;
  }

  private says(): string {
    const own = words().own;
    const found = this.found();
    if (!found) return own.drop;
    const { examples, words: all, different, heldOut } = found;
    if (all === 0) return own.lines(examples);
    return this.desk.draft.kind === 'text' ? own.foundText(all, different, examples, heldOut)
      : own.foundLines(examples, all, different, heldOut);
  }

  private found(): Understood | undefined {
    const { kind, text } = this.desk.draft;
    if (this.counted?.kind !== kind || this.counted.text !== text)
      this.counted = { kind, text, found: understood(kind, text) };
    return this.counted.found;
  }

  private typed(text: string): void {
    this.tooLong = false;
    this.desk.draft.text = text;
  }

  private readonly pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= FIELD) return;
    event.preventDefault();
    this.typed(text);
  };

  // The tab that parts a line can be typed; with Shift it leaves, and after Escape too.
  private left = false;
  private readonly tab = (event: KeyboardEvent) => {
    const leaves = this.left;
    this.left = event.key === 'Escape';
    if (event.key !== 'Tab' || event.shiftKey || leaves || this.desk.draft.kind === 'text') return;
    const field = event.target as HTMLTextAreaElement;
    const line = field.value.slice(field.value.lastIndexOf('\n', field.selectionStart - 1) + 1, field.selectionStart);
    // Only behind a source that has no tab yet: elsewhere the key moves on, as everywhere on the page.
    if (line.trim() === '' || line.includes('\t')) return;
    event.preventDefault();
    field.setRangeText('\t', field.selectionStart, field.selectionEnd, 'end');
    this.typed(field.value);
  };

  private train(): void {
    const { draft } = this.desk;
    draft.ask();
    this.desk.trainOn(divided(documentOf(draft.kind, draft.text, words().own.titles[draft.kind]), workersForOne()));
  }

  private readonly over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  private readonly drop = (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void this.read(file);
  };

  private readonly chosen = (event: Event) => {
    const [file] = chosenFiles(event);
    if (file) void this.read(file);
  };

  private async read(file: File): Promise<void> {
    if (file.size > LONGEST) return void (this.tooLong = true);
    const text = await file.text();
    const table = file.name.toLowerCase().endsWith('.csv') && this.desk.draft.kind !== 'text';
    this.typed(table ? (await import('./own-table.ts')).asLines(text) : text);
  }
}
customElements.define('ap-train-own', TrainOwnElement);
