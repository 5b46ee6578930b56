// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { titleOf } from '../state/model.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { chosenFiles } from '../files/chosen-files.ts';
import { decode, NoImage, type Remark } from '../image/decode.ts';
import { numbersOf } from '../image/edit.ts';
import { inputOf, sizeOf } from '../image/pixels.ts';
import { keepOrigin } from '../image/source.ts';
import { imagePorts } from '../state/image-ports.ts';
import { words as imageWords } from '../image/words.ts';
import { vocabularyOf, wordsOf } from '../state/vocabulary.ts';
import { sentence } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { digits } from '../strings/numerals.ts';
import { withQuotes } from '../strings/quote.ts';
import { filled, slider } from '../styles/slider.ts';
import { areModel } from '../models/kinds.ts';
import { preparationOf } from '../models/model-metadata.ts';
import { bring } from '../lessons/brought.ts';
import { words as lessonWords } from '../lessons/words.ts';
import { aloneOf, type Matrix } from './alone.ts';
import { type Given, together } from './catch.ts';
import type { Found } from './input-data.ts';
import { cut, type Regions } from './image.ts';
import { namedSaid, turnsBasic } from './several-inputs.ts';
import { put, rankOf, readable } from './put-input.ts';
import { isImage, readFile, readText, readWords } from './read.ts';
import { words as ofModel } from './words.ts';

const words = strings.bring;
const SHOWN = 5;
const TYPES = '.txt,.csv,.tsv,.json,.npy,.npz,.safetensors,.gguf,.bin,.pt,.pth,image/*,text/*';

/** Numbers, words, pictures and experiments of one's own; says what it understood before it uses them. */
export class BringElement extends Part {
  @reactive given: Given | undefined;
  @reactive text = '';
  @reactive file: File | undefined;
  @reactive found: Found | undefined;
  @reactive regions: Regions | undefined;
  /** What was done to a picture for an input that is an image. */
  @reactive remarks: Remark[] | undefined;
  @reactive grid = 4;
  @reactive into: string | undefined;
  /** Of a table with words, what is used where a model reads words: its words, or its numbers by themselves. */
  @reactive use: 'words' | 'numbers' = 'words';
  /** The picture is made for a model that was trained on pictures. */
  private trained = false;
  private asked = 0;

  static override styles = [slider, css`
    :host { display: grid; gap: var(--space-6); padding: 0 var(--space-10) var(--space-10); }
    textarea { width: 100%; min-height: 96px; resize: vertical; font-size: var(--text-read);
      line-height: var(--leading-read); }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: center; }
    .found { display: grid; gap: var(--space-4); padding: var(--space-6); border: 1px solid var(--line);
      border-radius: var(--radius); background: var(--panel); }
    .over { overflow: auto; }
    table { direction: ltr; border-collapse: collapse; font-size: var(--text-note); }
    td, th { padding: var(--space-1) var(--space-4); text-align: right; font-weight: 400; }
    th { color: var(--ink2); text-align: left; }
    .picture { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-8); align-items: center; }
    .picture .canvas { line-height: 0; }
    input[type='range'] { width: 140px; }
    fieldset { display: grid; border: 0; padding: 0; margin: 0; }
    legend { padding: 0; }
    fieldset label { display: flex; gap: var(--space-4); align-items: center; min-height: var(--press); }
    details ul { margin: var(--space-2) 0 0; padding-inline-start: var(--space-8); }
    code { direction: ltr; unicode-bidi: isolate; }
  `];

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('given') || !this.given) return;
    const { file, text, into } = this.given;
    this.into = into;
    if (file) void this.read(file);
    else if (text !== undefined) this.typed(text);
  }

  override render(): unknown {
    return html`<p class="quiet">${words.about}</p>
      <textarea dir=${this.text === '' ? nothing : 'auto'} aria-label=${words.paste} placeholder=${words.paste}
        .value=${this.text} @input=${(e: Event) => this.typed((e.target as HTMLTextAreaElement).value)}
        @paste=${(e: ClipboardEvent) => { const [file] = e.clipboardData?.files ?? [];
          if (file) { e.preventDefault(); void this.read(file); } }}></textarea>
      <div class="row"><label class="button">${words.choose}<input class="unseen" type="file" multiple accept=${TYPES}
          @change=${(e: Event) => { const files = chosenFiles(e);
            if (files.length > 0) void this.takeFiles(files); }} /></label>
        <span class="note">${this.file ? this.file.name : words.drop}</span></div>
      ${this.result()}
      ${this.forms()}`;
  }

  private forms(): unknown {
    const say = ofModel();
    return html`<details class="note" data-part="forms"><summary>${say.forms}</summary><ul>
      <li>${say.text} <code>["it", "slept"]</code></li>
      <li>${say.table}</li>
      <li>${say.json} <code>[[1, 0], [0, 2]]</code></li>
      <li>${say.named} <code>{"Q": [[1, 0]], "K": [[1, 1], [0, 3]], "V": [[10, 0], [0, 20]]}</code></li>
    </ul></details>`;
  }

  private result(): unknown {
    const { found } = this;
    if (!found) return nothing;
    if (found.kind === 'wrong') return html`<p class="error" role="alert">${withQuotes(found.why)}</p>`;
    const vocabulary = found.kind === 'document' || found.kind === 'lesson' ? undefined
      : vocabularyOf(this.store.book, this.store.documents.document, this.name);
    // A model that looks words up reads no numbers, so they are opened by themselves; a table may have both.
    const numbers = vocabulary !== undefined && found.kind === 'matrix' ? found : undefined;
    // The names of an image's regions are no words of a text.
    const asks = numbers?.labels !== undefined && !this.regions;
    const alone = numbers && (!asks || this.use === 'numbers') ? numbers : undefined;
    const usable = alone !== undefined || readable(found, vocabulary) !== undefined;
    return html`<div class="found" role="status" data-found=${found.kind}><b>${this.says(found)}</b>${this.look(found)}
        ${found.kind === 'document' || found.kind === 'lesson' || this.trained ? nothing
          : html`<span class="note">${vocabulary ? this.ofWords(found, vocabulary, usable, alone)
          : this.regions || this.remarks ? words.honestImage
          : found.kind === 'words' ? words.honestWords : words.honestNumbers}${found.kind === 'inputs'
          && turnsBasic(this.store.book, this.store.documents.document, found) ? html` ${ofModel().becomesBasic}`
          : nothing}</span>`}
        ${this.remarks?.map(({ kind, values }) =>
          html`<span class="note" data-remark=${kind}>${imageWords().remarks[kind]?.(...values)}</span>`)}</div>
      ${asks ? this.question() : nothing}
      <div class="row">${alone || ['document', 'lesson', 'inputs'].includes(found.kind) ? nothing : this.target()}
        ${usable ? html`<button class="button first" data-use
          @click=${() => (alone ? this.openAlone(alone) : void this.take(found))}>${
          found.kind === 'document' || found.kind === 'lesson' ? words.open : words.use}</button>`
          : nothing}
        ${found.kind === 'matrix' && this.text !== ''
          ? html`<button class="link note"
          @click=${() => { this.found = readWords(this.text); }}>${words.asWords}</button>` : nothing}</div>`;
  }

  // The one thing that a table with words and numbers leaves open.
  private question(): unknown {
    const say = ofModel();
    return html`<fieldset data-part="use"><legend>${say.which}</legend>${(['words', 'numbers'] as const).map((use) =>
      html`<label><input type="radio" name="use" value=${use} .checked=${this.use === use}
        @change=${() => (this.use = use)} /> ${use === 'words' ? say.theWords : say.theNumbers}</label>`)}</fieldset>`;
  }

  private openAlone(numbers: Matrix): void {
    const title = this.file?.name.replace(/\.[^.]+$/, '') || ofModel().numbersTitle;
    this.store.documents.replace(aloneOf(numbers, title), null);
    this.store.view.show({ opened: {} });
    this.dispatchEvent(new CustomEvent('shut', { bubbles: true, composed: true }));
  }

  // What a model that reads words takes of this.
  private ofWords(found: Found, vocabulary: readonly string[], usable: boolean, alone: Matrix | undefined): string {
    const { looksUp, numbersUnused, noWords, numbersAlone } = ofModel();
    if (alone) return numbersAlone;
    if (!usable) return noWords;
    const known = looksUp(wordsOf(vocabulary).length);
    return found.kind === 'words' ? known : `${known} ${numbersUnused}`;
  }

  private says(found: Exclude<Found, { kind: 'wrong' }>): string {
    switch (found.kind) {
      case 'words': return words.foundWords(found.tokens.length);
      case 'matrix': return words.foundMatrix(found.rows.length, found.rows[0]?.length ?? 0,
        found.labels !== undefined);
      case 'tensor': return words.foundTensor(found.shape);
      case 'inputs': return namedSaid(found);
      case 'lesson': return lessonWords().found(found.title);
      case 'document': return words.foundDocument(titleOf(found.document) ?? '');
    }
  }

  private look(found: Exclude<Found, { kind: 'wrong' }>): unknown {
    const { regions } = this;
    if (regions) {
      return html`<div class="picture"><span class="canvas">${regions.canvas}</span>
        <label>${words.grid(this.grid)}<br /><input type="range" min="2" max="8" .value=${String(this.grid)}
          ${filled((this.grid - 2) / 6)}
          @change=${(e: Event) => { this.grid = Number((e.target as HTMLInputElement).value);
          if (this.file) void this.read(this.file); }} /></label></div>`;
    }
    if (found.kind === 'words') return html`<span
      dir="auto">${sentence(found.tokens.slice(0, 40))}${found.tokens.length > 40 ? ' …' : ''}</span>`;
    if (found.kind !== 'matrix') return nothing;
    const { rows, labels, columns } = found;
    const more = (rows[0]?.length ?? 0) > SHOWN;
    return html`<div class="over" tabindex="0" role="group" aria-label=${words.preview}><table>
      ${columns ? html`<thead><tr>${labels ? html`<td></td>` : nothing}${
        columns.slice(0, SHOWN).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>` : nothing}
      <tbody>${rows.slice(0, SHOWN).map((row, i) =>
        html`<tr>${labels ? html`<th scope="row">${labels[i]}</th>` : nothing}
        ${row.slice(0, SHOWN).map((value) => html`<td>${digits(value, 4)}</td>`)}${
          more ? html`<td>…</td>` : nothing}</tr>`)}</tbody></table>${rows.length > SHOWN ? '…' : nothing}</div>`;
  }

  private get name(): string {
    const names = Object.keys(this.store.documents.document.inputs);
    if (this.into !== undefined && names.includes(this.into)) return this.into;
    const rank = this.found?.kind === 'tensor' ? this.found.shape.length : 2;
    return names.find((name) => rankOf(this.store, name) === rank) ?? names[0] ?? 'x';
  }

  // The input that is an image, where there is one: a picture goes there as it is.
  private get image(): { name: string; shape: number[] } | undefined {
    const ports = imagePorts(this.store.book, this.store.documents.document);
    const name = (ports.find(({ input }) => input === this.into) ?? ports[0])?.input;
    const shape = name === undefined ? undefined : numbersOf(this.store, name)?.shape;
    return name !== undefined && shape ? { name, shape } : undefined;
  }

  private target(): unknown {
    const names = Object.keys(this.store.documents.document.inputs);
    if (names.length < 2) return nothing;
    return html`<label>${words.into} ${select(names.map((name) => [name, name]), this.name, (name) => {
      this.into = name;
      if (this.remarks && this.file) void this.read(this.file);
    })}</label>`;
  }

  private typed(text: string): void {
    this.text = text;
    this.file = this.regions = this.remarks = undefined;
    this.trained = false;
    this.use = 'words';
    this.found = text.trim() === '' ? undefined : readText(text);
  }

  // The files of a model go to its own dialog.
  private async takeFiles(files: File[]): Promise<void> {
    if (await areModel(files)) this.dispatchEvent(new CustomEvent('bring', { detail: together(files), bubbles: true,
      composed: true }));
    else void this.read(files[0]!);
  }

  private async read(file: File): Promise<void> {
    const asked = ++this.asked;
    this.file = file;
    this.use = 'words';
    this.text = '';
    this.trained = false;
    let [found, regions]: [Found, Regions | undefined] = [{ kind: 'wrong', why: words.unreadable }, undefined];
    let remarks: Remark[] | undefined;
    const picture = await isImage(file).catch(() => false);
    const into = picture ? this.image : undefined;
    try {
      if (into) {
        const size = sizeOf(into.shape);
        const how = preparationOf(this.store.documents.document, into.name);
        this.trained = how !== undefined;
        const decoded = await decode(file, size.height, size.width, how);
        const { shape, data } = inputOf(decoded.pixels, size, how) as { shape: number[]; data: number[] };
        [found, remarks] = [{ kind: 'tensor', shape, data }, decoded.remarks];
        this.into = into.name;
      } else if (picture) {
        regions = await cut(file, this.grid);
        found = rankOf(this.store, this.name) === 3 ? regions.mean
          : { kind: 'matrix', rows: regions.rows, labels: regions.labels };
      } else found = await readFile(file);
    } catch (problem) {
      // Whatever else the browser could not read is said in the same words.
      if (problem instanceof NoImage)
        found = { kind: 'wrong', why: imageWords().problems[problem.problem] ?? words.unreadable };
    }
    if (asked !== this.asked) return;
    this.regions = regions;
    this.remarks = remarks;
    this.found = found;
  }

  private async take(found: Found): Promise<void> {
    if (found.kind === 'lesson') {
      this.store.view.teach(bring(this.store, found.value).id);
      return void this.dispatchEvent(new CustomEvent('shut', { bubbles: true, composed: true }));
    }
    const { why, lecture } = await put(this.store, found, this.name);
    if (why !== undefined) return void (this.found = { kind: 'wrong', why });
    if (this.remarks && this.file && found.kind === 'tensor')
      keepOrigin(this.store.documents.document.inputs[this.name],
        { source: { kind: 'file', file: this.file }, size: sizeOf(found.shape) });
    const passes = { bubbles: true, composed: true };
    this.dispatchEvent(lecture === undefined ? new CustomEvent('shut', passes)
      : new CustomEvent('go', { detail: ['lecture', lecture], ...passes }));
  }
}
customElements.define('ap-bring', BringElement);
