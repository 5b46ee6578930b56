// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing, type PropertyValues } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { Clipboard } from '../clipboard.ts';
import type { Given } from '../bring/catch.ts';
import { holdWeights, keepWeights } from '../engine/kept.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { chosenFiles } from '../files/chosen-files.ts';
import { sameAmong } from '../files/same-file.ts';
import { partOf } from '../files/slices.ts';
import { texts } from '../inputs/inputs.ts';
import { Part, reactive } from '../part.ts';
import { absentModel, completedBy } from '../state/absent-model.ts';
import { fileName, save } from '../state/save.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { assumedSizes, type AssumedSize } from './assumed-sizes.ts';
import { type FolderProblem, MOST } from './folder.ts';
import { joined, kindOf, modelName, weightsName } from './kinds.ts';
import type { ModelLine } from './line.ts';
import { MOST_BYTES, UNASKED } from './limits.ts';
import { openModels } from './open.ts';
import { withSpacedLabels } from './put-tokens.ts';
import { knowModel } from './model-metadata.ts';
import { questionBox } from './question.ts';
import { type Found, keptUnder, lastCross, recognise, pairIn, store } from './reading.ts';
import { tensorTable } from './tensors.ts';
import { trouble } from './import-errors.ts';
import type { Opened, Question, Stored } from './types.ts';
import { words } from './words.ts';

const ENDINGS = '.safetensors,.gguf,.bin,.pt,.pth,.npz,.json,.spm,.model';
const MEGA = 1e6;
// Milliseconds between two pictures of how far it is.
const STEP = 100;
// Milliseconds that drawing all maps of a large model takes at most.
const DRAWN = 1500;
// Below this share of what the files take, int8 is offered.
const WORTH = 0.8;
const mega = (bytes: number): string => fixed(bytes / MEGA, 1);
const sizeOf = (bytes: number): string => (bytes < MEGA ? words().kilobytes(fixed(bytes / 1000, 1))
  : words().megabytes(mega(bytes)));
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

// The document with its weights under this name; how products read them stays as it says.
const readFrom = (document: Doc, from: string): Doc => ({ ...document,
  parameters: { ...(document['parameters'] as JsonObject | undefined), from } });

/** Opens a model of another program: what each of its files is, what is missing, and its weights as they are read. */
export class DropElement extends Part {
  @reactive given: Given | undefined;
  @reactive files: File[] = [];
  @reactive found: Found | undefined;
  /** How many numbers are read, of how many. */
  @reactive done: [number, number] | undefined;
  @reactive stored: Stored | undefined;
  @reactive every = false;
  private readonly clipboard = new Clipboard(this);
  @reactive chosen: number | undefined;
  @reactive saved: [string, string] | undefined;
  @reactive over = false;
  @reactive landing = false;
  /** Large matrices become int8. */
  @reactive small = false;
  /** The assumed size that the reader is about to change. */
  @reactive changing: string | undefined;
  /** Why a folder that was dropped gives no model. */
  @reactive problem: FolderProblem | undefined;
  private line: ModelLine | undefined;
  private asked = 0;
  private answers: Record<string, number> = {};
  // The weights that the engine takes in while they are read.
  private ahead: string | undefined;

  static override styles = css`
    :host { display: grid; gap: var(--space-6); padding: 0 var(--space-10) var(--space-10); }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: center; }
    .over { overflow: auto; max-height: 320px; }
    table { width: 100%; border-collapse: collapse; }
    th, td { padding: var(--space-2) var(--space-4) var(--space-2) 0; text-align: start; font-weight: 400;
      vertical-align: top; border-bottom: 1px solid var(--line); }
    thead th { color: var(--ink2); font-size: var(--text-note); }
    .files th { font-weight: 600; overflow-wrap: anywhere; min-width: 13ch; }
    .files .size { white-space: nowrap; text-align: end; color: var(--ink2); }
    tr.left td, tr.ignored td { color: var(--ink2); }
    code, pre { font-family: ui-monospace, monospace; font-size: var(--text-note); overflow-wrap: anywhere; }
    pre { margin: 0; padding: var(--space-5); background: var(--panel); border: 1px solid var(--line);
      border-radius: var(--radius); overflow: auto; }
    .question, .trouble { display: grid; gap: var(--space-4); padding: var(--space-6);
      border: 1px solid var(--line2); border-radius: var(--radius); justify-items: start; }
    .trouble h3.file { font-size: var(--text); overflow-wrap: anywhere; }
    .trouble p { overflow-wrap: anywhere; }
    .choices { display: flex; flex-wrap: wrap; gap: var(--space-3); }
    progress { width: 100%; height: var(--space-3); accent-color: var(--ink); }
    h3.title { font-size: var(--text-title); line-height: var(--leading-title); }
    .tensors { display: grid; gap: var(--space-3); justify-items: start; }
    .tensors .over { width: 100%; }
  `;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asked++;
    this.leave();
    this.line?.close();
    this.line = undefined;
  }

  override willUpdate(changed: PropertyValues): void {
    const { given } = this;
    const files = given?.files ?? (given?.file ? [given.file] : []);
    if (!changed.has('given')) return;
    this.problem = given?.problem;
    if (files.length > 0) this.take(files);
  }

  override render(): unknown {
    const { found } = this;
    return html`<p class="quiet">${words().about}</p>
      ${this.problem ? html`<p class="error" role="alert">${
        words().folder[this.problem.kind](this.problem.folders, MOST)}</p>` : nothing}
      ${found?.kind === 'opened' || found?.kind === 'large' ? this.headline(found.opened) : nothing}
      ${this.files.length ? this.list() : html`<p>${words().takes}</p>`}
      ${this.state()}
      <div class="row">${this.buttons()}<label class="button ${this.files.length ? '' : 'first'}">${
        this.files.length ? words().again : words().choose}<input class="unseen" type="file" multiple accept=${ENDINGS}
        @change=${(e: Event) => { const files = chosenFiles(e);
          if (files.length > 0) this.take(files); }} /></label></div>
      ${this.files.length ? html`<p class="note">${words().addsNote}</p>` : nothing}
      ${this.shrinks ? html`<p class="note" id="small-why">${words().smallWhy}</p>` : nothing}
      ${this.saved ? html`<p class="note" role="status">${words().saved(...this.saved)}</p>` : nothing}
      ${found?.kind === 'opened' ? guard([found, this.every], () =>
        tensorTable(found.opened, this.every, () => (this.every = true))) : nothing}`;
  }

  private headline(opened: Opened): unknown {
    const { title, sizes, numbers } = opened;
    const [layers, heads, width, vocabulary, classes] = ['layers', 'heads', 'width', 'vocabulary', 'classes']
      .map((name) => numberOf(sizes[name])) as [number, number, number, number, number];
    const all = layers + numberOf(sizes['decoder_layers']);
    const says = classes > 0 ? words().sizesOfClasses(all, heads, width, classes)
      : words().sizes(all, heads, width, vocabulary);
    return html`<h3 class="title">${withQuotes(quote(title))}</h3><p data-part="sizes">${says}. ${
      words().used(numbers, mega(this.bytesOf(opened)))}.</p>`;
  }

  private bytesOf({ bytes, small }: Opened): number {
    return this.small ? small : bytes;
  }

  private list(): unknown {
    const opened = this.found && 'opened' in this.found ? this.found.opened : undefined;
    return html`<table class="files" aria-label=${words().files}><tbody>${this.files.map((file) => html`<tr>
      <th scope="row" dir="ltr">${file.name}</th><td class="size">${sizeOf(file.size)}</td>
      <td>${this.says(file.name, opened)}</td><td aria-hidden="true">${
        opened && (opened.files.includes(file.name)) ? '✓' : ''}</td></tr>`)}</tbody></table>
      ${opened ? assumedSizes(opened).map((size) => this.assumed(size)) : nothing}
      ${opened ? this.lacks(opened) : nothing}`;
  }

  private assumed({ name, sentence, question }: AssumedSize): unknown {
    const isOpen = this.changing === name;
    return html`<p class="note" data-assumed=${name}>${withQuotes(sentence)}${question
      ? html` <button class="link note inline" aria-expanded=${isOpen}
      @click=${() => (this.changing = isOpen ? undefined : name)}>${words().change}</button>` : nothing}</p>${
      isOpen && question ? this.question(question) : nothing}`;
  }

  // What the model is used without.
  private lacks({ writes, tokenizer, tokenizer_left: left }: Opened): unknown {
    if (writes?.kind === 'classes') return writes.picture?.mean === undefined
      ? html`<p class="note">${words().assumed}</p>` : nothing;
    if (left) return html`<p class="note">${words().tokenizerLeft}</p>`;
    return tokenizer ? nothing : html`<p class="note">${words().noTokenizer}</p>`;
  }

  private says(name: string, opened: Opened | undefined): string {
    const tensors = opened?.tensors.filter(({ file }) => file === name || file.startsWith(`${name}/`)).length ?? 0;
    if (tensors > 0) return words().kindOfWeights(tensors);
    if (opened?.left_files?.some(({ file }) => file === name)) return words().passedOver;
    if (opened?.tokenizer?.file === name)
      return words().kindOfTokenizer(opened.tokenizer.kind, opened.tokenizer.pieces);
    return words().kinds[kindOf(name)];
  }

  private state(): unknown {
    const { found, done } = this;
    if (this.over) return html`<p role="status">${words().cancelled}</p>`;
    if (this.files.length === 0) return nothing;
    if (this.stored) return html`<p role="status" data-part="ready">${
      this.landing ? words().opening : words().ready}</p>`;
    if (!found) return html`<p role="status">${words().looking}</p>`;
    if (found.kind === 'question') return this.question(found.question);
    if (found.kind === 'refused') {
      return html`<h3>${words().cannot}</h3><p class="quiet">${words().unchanged}</p>${
        trouble(found.error, this.clipboard)}`;
    }
    if (found.kind === 'large') {
      const { numbers } = found.opened;
      return html`<div class="trouble" role="alert"><h3 class="error">${words().cannot}</h3><p>${words().tooLarge(
        numbers, whole(this.bytesOf(found.opened) / MEGA), whole(MOST_BYTES / MEGA))}</p></div>`;
    }
    const [now, all] = done ?? [0, 1];
    const bytes = this.bytesOf(found.opened), share = all > 0 ? now / all : 0;
    return html`<div><progress max="1" .value=${share} aria-label=${words().looking}></progress>
      <p class="note" role="status">${words().reading(mega(share * bytes), mega(bytes))}</p></div>`;
  }

  private question(question: Question & { value?: number }): unknown {
    return questionBox(question, { chosen: this.chosen, choose: (n) => (this.chosen = n), answer: (n) => {
      this.answers = { ...this.answers, [question.key]: n };
      void this.read();
    } });
  }

  private buttons(): unknown {
    if (this.stored) {
      return html`<button class="button first" data-part="open" ?disabled=${this.landing}
        @click=${() => void this.land()}>${words().open}</button>
        ${this.found ? html`<button class="button" data-part="save" @click=${() => this.save()}>${
          words().save}</button>`
          : nothing}${this.smaller()}`;
    }
    if (this.found?.kind === 'large') return this.smaller();
    const busy = this.files.length > 0 && !this.over && (!this.found || this.found.kind === 'opened');
    return busy ? html`<button class="button" data-part="cancel" @click=${() => this.cancel()}>${
      words().cancel}</button>`
      : nothing;
  }

  // Of what would save little there is no choice.
  private get shrinks(): Opened | undefined {
    const opened = this.found && 'opened' in this.found ? this.found.opened : undefined;
    const little = !opened || this.small || opened.small > WORTH * opened.bytes || opened.small > MOST_BYTES;
    // While it is being read there is nothing to press.
    return little || !(this.stored || this.found?.kind === 'large') ? undefined : opened;
  }

  private smaller(): unknown {
    const opened = this.shrinks;
    if (!opened) return nothing;
    return html`<button class="button" data-part="small" aria-describedby="small-why" ?disabled=${this.landing}
      @click=${() => void this.read(true)}>${words().small(mega(opened.small))}</button>`;
  }

  private take(files: File[]): void {
    const refused = this.found !== undefined && 'error' in this.found;
    this.problem = undefined;
    this.files = joined(this.files, files, refused || this.found?.kind === 'question');
    this.answers = {};
    void this.read();
  }

  private async read(small = false): Promise<void> {
    const asked = ++this.asked;
    this.small = small;
    this.found = this.done = this.stored = this.saved = this.chosen = this.changing = undefined;
    this.every = this.over = false;
    this.clipboard.forget();
    this.leave();
    this.line?.close();
    const pair = await pairIn(this.files);
    if (asked !== this.asked) return;
    if (pair) return void (this.stored = pair);
    const line = this.line = openModels();
    const found = await recognise(line, this.files, this.answers);
    if (asked !== this.asked || !found) return;
    // As int8 it fits where the choice was offered.
    this.found = small && found.kind === 'large' ? { ...found, kind: 'opened' } : found;
    if (this.found.kind !== 'opened') return line.close();
    const name = weightsName(this.files);
    const { kept } = await keptUnder(name);
    if (asked !== this.asked) return;
    // Weights of a name that is taken are known to the engine already, or are others.
    const port = kept.length === 0 ? this.toEngine(name) : undefined;
    let drawn = 0;
    const stored = await store(line, name, { small, port, kept }, (now, all) => {
      // There are more parts than anybody sees, and each picture takes time from the reader of the next.
      if (asked !== this.asked || performance.now() - drawn < STEP) return;
      drawn = performance.now();
      this.done = [now, all];
    });
    line.close();
    if (asked !== this.asked || !stored) return;
    if ('error' in stored) this.leave();
    if ('error' in stored) this.found = { kind: 'refused', error: stored.error };
    else this.stored = stored;
  }

  private toEngine(name: string): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.ahead = name;
    this.store.client.bring({ coming: name, port: port1 });
    return port2;
  }

  // Nobody will ask for what the engine has taken in.
  private leave(): void {
    if (this.ahead !== undefined) this.store.client.bring({ coming: this.ahead });
    this.ahead = undefined;
  }

  private cancel(): void {
    this.asked++;
    this.leave();
    this.line?.close();
    this.found = this.done = undefined;
    this.over = true;
  }

  private async land(): Promise<void> {
    const { document, file } = this.stored!;
    this.landing = true;
    const named = await this.name(this.stored!).catch((problem: unknown) => {
      this.found = { kind: 'refused', error: { path: '', message: (problem as Error).message } };
      this.stored = undefined;
    });
    if (named === undefined) return void (this.landing = false);
    const { from, isKept } = named;
    if (from === this.ahead) this.ahead = undefined;
    if (!isKept) holdWeights(from, file);
    await Promise.all([knowModel(from, file), texts.fetch()]).catch(() => undefined);
    this.landing = false;
    const opened = readFrom(withSpacedLabels(this.titled(document)), from);
    // A link that waits for these weights keeps its texts, its changes and its place.
    const { documents } = this.store;
    const waiting = absentModel(this.store) === undefined ? undefined : completedBy(documents.document, opened, from);
    const seen = waiting && this.store.seenWith(documents.document);
    this.store.arrive(waiting ? { document: waiting, ...(seen ? { seen } : {}) } : { document: opened }, !waiting);
    // Of a model with two texts the map between them is what a reader looks for.
    if (!waiting) this.store.view.show({ module: lastCross(document) });
    if (!isKept) void this.keep(from, file);
    this.dispatchEvent(new CustomEvent('shut', { bubbles: true, composed: true }));
  }

  // The browser writes half a gigabyte to its disk for seconds: first such a model's numbers are computed and drawn.
  private async keep(from: string, file: Blob): Promise<void> {
    const { sessions, view } = this.store;
    if (file.size > UNASKED) {
      await sessions.compute();
      await new Promise((resolve) => setTimeout(resolve, DRAWN));
    }
    if (!await keepWeights(from, file)) view.show({ notice: [{ key: 'weightsNotKept' }] });
  }

  // Weights that stay as they were lie in the reader's files until the browser has them, and a file may have changed
  // since it was read.
  private async name({ file, same }: Stored): Promise<{ from: string; isKept: boolean }> {
    for (const one of this.files) await partOf(one.name, one, 0, 1);
    const name = weightsName(this.files);
    const { kept, free } = await keptUnder(name);
    // The worker compared what it read; the weights beside a document are not read before.
    const known = this.found ? same : await sameAmong(kept, { name, file });
    const isKept = kept.some((one) => one.name === known);
    return { from: isKept ? known! : free, isKept };
  }

  // Two models of a family are told apart by their files.
  private titled(document: Doc): Doc {
    // One that was saved here has its title already.
    const name = this.found ? modelName(this.files) : undefined;
    return name === undefined ? document : { ...document, title: `${name}, ${String(document['title'])}` };
  }

  // As `attend import` writes it: the document, and beside it its weights by the name that it gives.
  private save(): void {
    const document = this.titled(this.stored!.document);
    const [name, weights] = [fileName(document, 'json'), fileName(document, 'safetensors')];
    const text = JSON.stringify(readFrom(document, weights), null, 1);
    save(new Blob([text], { type: 'application/json' }), name);
    save(this.stored!.file, weights);
    this.saved = [name, weights];
  }
}
customElements.define('ap-drop', DropElement);
