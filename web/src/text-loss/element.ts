// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { sideName, withNumbers } from '../compare/side-names.ts';
import { words as compared } from '../compare/words.ts';
import { Opened } from '../engine/open-document.ts';
import type { Doc } from '../engine/types.ts';
import { chosenFiles } from '../files/chosen-files.ts';
import { changesCalled } from '../models/changes-called.ts';
import { endOf } from '../models/import-errors.ts';
import type { Model } from '../models/model-metadata.ts';
import { Part, reactive } from '../part.ts';
import { fileName, save } from '../state/save.ts';
import { strings } from '../strings/en.ts';
import { typedNumber } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { lossCsv } from './csv.ts';
import { type Compute, logProbabilities, meanLoss } from './log-probabilities.ts';
import { colouredText, domainOfLoss, hardest, type Measurement, measurements, shownValues } from './measured.ts';
import { type TextTokens, tokensOf } from './text-tokens.ts';
import { windowsOf } from './windows.ts';
import { words } from './words.ts';
import '../flow/legend.ts';

const LONGEST = 100_000;
// More tokens at once take long in a browser, and tell little more.
const WINDOW = 512;
const LARGEST_WINDOW = 100_000;
// So many measurements of one text are kept: the first, and the last ones.
const KEPT = 8;

type Doing = 'encoding' | readonly [done: number, all: number];

/** The loss of a model over a text of the reader's, before and after changes of the model. */
export class TextLossElement extends Part {
  @reactive model!: Model;
  /** How many tokens the model knows. */
  @reactive rows = Infinity;
  @reactive text = '';
  @reactive most: number | undefined;
  @reactive doing: Doing | undefined;
  @reactive problem: string | undefined;
  @reactive cancelled = false;
  @reactive tokens: TextTokens | undefined;
  @reactive runs: readonly Measurement[] = [];
  @reactive byChange = false;
  private turn = 0;
  /** Of which text and model the measurements are, and of which document the first and the last. */
  private of = '';
  private first: Doc | undefined;
  private last = '';

  static override styles = css`
    :host { display: block; max-width: 720px; }
    p { max-width: 76ch; margin: var(--space-3) 0; }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center;
      margin: var(--space-3) 0; }
    .row label { display: inline-flex; gap: var(--space-3); align-items: center; }
    .row input[inputmode] { width: 88px; }
    textarea { display: block; width: 100%; resize: vertical; font-size: var(--text-read);
      line-height: var(--leading-read); }
    progress { width: 160px; height: var(--space-3); accent-color: var(--ink); }
    .over { overflow-x: auto; margin: var(--space-5) 0; }
    table { border-collapse: collapse; }
    caption { text-align: start; margin-bottom: var(--space-2); }
    th, td { padding: var(--space-2) var(--space-6) var(--space-2) 0; text-align: end; font-weight: 400;
      vertical-align: top; border-bottom: 1px solid var(--line); }
    th[scope='row'], th:first-child { text-align: start; }
    thead th { color: var(--ink2); font-size: var(--text-note); }
    .reading { white-space: pre-wrap; overflow-wrap: anywhere; font-size: var(--text-read);
      line-height: var(--leading-read); max-height: 320px; overflow-y: auto; }
  `;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.turn++;
    this.doing = undefined;
  }

  private get longest(): number {
    return this.model.writes.length || LARGEST_WINDOW;
  }

  private get window(): number {
    return Math.min(this.most ?? WINDOW, this.longest);
  }

  override render(): unknown {
    if (this.model.writes.kind !== 'next') return html`<p data-part="why">${words().masked}</p>`;
    const label = this.model.tokenizer ? words().type : words().typeIds;
    return html`<p>${words().about}</p><p class="note">${words().compare}</p>
      <textarea rows="4" dir="auto" aria-label=${label} placeholder=${label} .value=${this.text}
        @input=${(e: Event) => (this.text = (e.target as HTMLTextAreaElement).value)}
        @dragover=${this.over} @drop=${this.drop}></textarea>
      <div class="row"><label class="button">${words().file}<input class="unseen" type="file"
        accept=".txt,.md,text/*" @change=${this.chosen} /></label>
        <label>${words().window} <input inputmode="numeric" data-part="window" .value=${String(this.window)}
          @change=${this.typedWindow} /></label></div>
      <p class="note">${words().windowNote(this.window)}</p>
      <div class="row">${this.button()}</div>
      ${this.problem === undefined ? nothing
        : html`<p class="error" role="alert">${withQuotes(this.problem)}</p>`}
      ${this.cancelled ? html`<p class="note" role="status">${words().cancelled}</p>` : nothing}${this.measured()}`;
  }

  private button(): unknown {
    const { doing } = this;
    if (doing === undefined) return html`<button class="button first" data-part="measure"
      ?disabled=${this.text.trim() === ''} @click=${() => void this.measure()}>${words().compute}</button>`;
    const says = doing === 'encoding' ? words().encoding : words().progress(...doing);
    return html`<progress max="1" value=${doing === 'encoding' ? nothing : doing[0] / doing[1]}
      aria-label=${words().compute}></progress><span class="note" role="status">${says}</span>
      <button class="button" data-part="cancel" @click=${() => this.cancel()}>${words().cancel}</button>`;
  }

  private measured(): unknown {
    const { runs, tokens } = this;
    const run = runs.at(-1);
    if (!run || !tokens) return nothing;
    const before = this.byChange && runs.length > 1 ? runs[0] : undefined;
    return html`<section>${measurements(runs)}
      ${this.doing === undefined && this.key !== this.last ? html`<p class="note" role="status" data-part="changed">${
        words().changed}</p>` : nothing}
      <div class="row">${runs.length > 1 ? html`<label>${words().colour} <select data-part="colour"
        @change=${(e: Event) => (this.byChange = (e.target as HTMLSelectElement).value === 'change')}>
        <option value="loss" ?selected=${!before}>${words().byLoss}</option>
        <option value="change" ?selected=${!!before}>${words().byChange}</option></select></label>`
        : html`<span class="note">${words().byLoss}</span>`}
        <ap-legend .domain=${domainOfLoss(shownValues(run, before), before !== undefined)}
          .kind=${before ? 'signed' : 'weights'} .width=${120}></ap-legend></div>
      ${colouredText(tokens.labels, run, before, this.theme)}${hardest(tokens.labels, run, before)}
      <div class="row"><button class="button" data-part="csv" @click=${() => this.save()}>${words().save}</button></div>
      </section>`;
  }

  /** What the numbers depend on beside the text. */
  private get key(): string {
    const { inputs, ...computes } = this.store.documents.document;
    const { source } = this.model.writes;
    return JSON.stringify([this.model.name, computes, source === undefined ? null : inputs[source], this.window]);
  }

  private cancel(): void {
    this.turn++;
    this.doing = undefined;
    this.cancelled = true;
  }

  private async measure(): Promise<void> {
    const turn = ++this.turn;
    const { text, model, window, key } = this;
    const { document } = this.store.documents;
    this.problem = undefined;
    this.cancelled = false;
    if (text.length > LONGEST) return void (this.problem = words().tooLong(LONGEST));
    this.doing = 'encoding';
    const tokens = await tokensOf(model, text, this.rows);
    if (turn !== this.turn) return;
    const wrong = !tokens ? undefined : tokens === 'ids' ? words().badIds(this.rows - 1) : 'error' in tokens
      ? endOf(tokens.error) ?? quote(tokens.error.message)
      : tokens.ids.length + tokens.begin.length < 2 ? words().tooShort : undefined;
    if (!tokens || tokens === 'ids' || 'error' in tokens || wrong !== undefined) return this.stop(wrong);
    const all = tokens.ids.length;
    const opened = { hidden: new Opened(this.store.client, 'text-loss'), logits: new Opened(this.store.client,
      'text-loss') };
    const compute: Compute = (of, one) => opened[of].compute(one);
    this.doing = [0, all];
    const found = await logProbabilities(compute, document, model.writes, tokens.ids,
      windowsOf(tokens.begin, tokens.ids, window), (done) => {
        if (turn === this.turn) this.doing = [done, all];
        return turn === this.turn;
      });
    opened.hidden.close();
    opened.logits.close();
    if (turn !== this.turn) return;
    if (!found || 'error' in found) return this.stop(found && quote(found.error.message));
    this.stop();
    this.keep(document, tokens, found, key, window);
  }

  private stop(problem?: string): void {
    this.doing = undefined;
    this.problem = problem;
  }

  private keep(document: Doc, tokens: TextTokens, values: Float64Array, key: string, window: number): void {
    const of = JSON.stringify([this.model.name, tokens.ids]);
    if (of !== this.of) {
      this.runs = [];
      this.first = undefined;
    }
    this.first ??= document;
    const run = { name: this.nameOf(document), window, values, ...meanLoss(values) };
    const kept = this.runs.length < KEPT ? this.runs : [this.runs[0]!, ...this.runs.slice(2)];
    // The same again is no other measurement.
    this.runs = key === this.last && of === this.of ? [...this.runs.slice(0, -1), run] : [...kept, run];
    [this.of, this.last, this.tokens] = [of, key, tokens];
    if (this.runs.length === 1) this.byChange = false;
  }

  // By what the document changes of its model, and by choices that the first measured document has not.
  private nameOf(document: Doc): string {
    const { book } = this.store;
    const { own, lacks } = sideName(book, document, this.first!);
    const theirs = book.choices(this.first!);
    // A choice differs, too, if one inside it does; all layers may have the same.
    const inner = own.filter((one) => !own.some(({ path }) => path.startsWith(`${one.path}/`)));
    const names = new Set([...inner.map((one) => withNumbers(one, theirs)),
      ...lacks.map((name) => compared().without(name)), ...changesCalled(document).map((one) => words().off(one))]);
    if (names.size > 0) return [...names].join(strings.comma);
    const bare = ({ inputs: _, ...rest }: Doc): string => JSON.stringify(rest);
    return bare(document) === bare(this.first!) ? words().unchanged : words().unlike;
  }

  private save(): void {
    const { tokens, runs } = this;
    const columns = runs.map(({ name, window, values }, k) =>
      ({ name: `log p ${k + 1}: ${name}, ${window}`, values }));
    save(new Blob([lossCsv(tokens!.ids, tokens!.labels, columns)], { type: 'text/csv' }),
      fileName(this.store.documents.document, 'csv', 'loss'));
  }

  private readonly typedWindow = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const value = typedNumber(input.value);
    const right = Number.isInteger(value) && value >= 2 && value <= this.longest;
    this.problem = right ? undefined : words().badWindow(this.longest);
    if (right) this.most = value;
    else input.value = String(this.window);
  };

  private readonly over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  private readonly drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void this.read(file);
  };

  private readonly chosen = (event: Event): void => {
    const [file] = chosenFiles(event);
    if (file) void this.read(file);
  };

  private async read(file: File): Promise<void> {
    // A character takes at most four bytes.
    if (file.size > 4 * LONGEST) return void (this.problem = words().tooLong(LONGEST));
    const text = await file.text().catch(() => undefined);
    if (text === undefined || text.includes('\0')) return void (this.problem = words().unreadable(file.name));
    this.text = text;
    this.problem = text.length > LONGEST ? words().tooLong(LONGEST) : undefined;
  }
}
customElements.define('ap-text-loss', TextLossElement);
