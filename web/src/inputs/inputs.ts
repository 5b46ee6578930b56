// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Given } from '../bring/catch.ts';
import { looksLikeData } from './guess.ts';
import { imagePorts } from '../state/image-ports.ts';
import { Later } from '../lazy-fetch.ts';
import { plane } from '../engine/result.ts';
import type { Json, JsonObject } from '../engine/types.ts';
import { Part, property, reactive } from '../part.ts';
import { isObject, join } from '../engine/pointer.ts';
import { addInput, offered } from '../state/roles.ts';
import { isTrained } from '../state/writer.ts';
import { NATURAL, sentence, tokenise, WIDEST_WORDS } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { arrow } from '../strings/language.ts';
import { objection } from '../strings/quote.ts';
import { shownWord } from '../strings/displayed-word.ts';
import { answerOf, SAMPLES, spaced, writtenOut } from './answer.ts';
import { known } from './known-words.ts';
import { lookAt, marksOf } from './look.ts';
import { spelled, vocabularyOf } from '../state/vocabulary.ts';
import '../flow/matrix.ts';
import './tokens.ts';
import { rank, type Rank } from '../turns.ts';

const LONGEST_TEXT = 20_000;
// A document may have thousands of inputs: so many are drawn at first.
const MOST = 24;
const images = new Later(() => import('../image/image.ts'));
const truths = new Later(() => import('./truth.ts'));
/** Models of other programs, and what draws their texts. */
export const texts = new Later(
  () => Promise.all([import('../models/model-metadata.ts'), import('../models/pieces.ts')]), false);
const classes = new Later(() => import('../models/classes.ts'), false);
const spans = new Later(() => Promise.all([import('../spans/spans.ts'), import('../spans/partition.ts')]));

/** Every input of the document: its words as chips, or as text to type over. */
export class InputsElement extends Part {
  /** Stands where there are no dialogs. */
  @property({ type: Boolean }) bare!: boolean;
  @reactive typing: string | undefined;
  private typed: { name: string; text: string } | undefined;
  @reactive more: number | undefined;
  /** The words of an answer are chips, to be changed one by one. */
  @reactive opened: boolean | undefined;

  // .place: A word takes the room of its letters, so that all gaps are alike; a finger may press around a short one.
  // :host([inert]): Where nothing can be changed, nothing offers to.
  static override styles = css`
    :host { display: block; padding: var(--space-6) var(--space-12) var(--space-2); container-type: inline-size; }
    .head { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-7); align-items: baseline;
      margin-bottom: var(--space-2); }
    .head .link + .link { margin-inline-start: var(--space-5); }
    .head > .note { unicode-bidi: isolate; }
    .error { margin-top: var(--space-2); }
    textarea { display: block; width: 100%; max-width: 720px; resize: vertical; font-size: var(--text-read);
      line-height: var(--leading-read); }
    .more { display: flex; gap: var(--space-6); flex-wrap: wrap; }
    .input + .input { margin-top: var(--space-6); }
    .wrote { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-6); align-items: baseline;
      font-size: var(--text-read); line-height: var(--leading-read); }
    textarea + details, textarea + p { margin-top: var(--space-3); }
    .wrote b { font-weight: 600; }
    .place { position: relative; display: inline-flex; align-items: center; white-space: pre;
      min-height: var(--press); word-spacing: calc(var(--finger) / 8); }
    .place::before { content: attr(data-text); visibility: hidden; }
    .word { position: absolute; inset-block: 0; inset-inline: min(0px, calc((100% - var(--finger)) / 2));
      font: inherit; word-spacing: inherit; color: inherit; text-align: center; border-radius: var(--radius); }
    summary { padding-block: calc((var(--press) - var(--leading-note)) / 2); }
    :host([inert]) { --offer: none; }
    .link, .asks { display: var(--offer, inline-block); }
    .word:hover { background: var(--hover); }
    .word.query, .word.key { box-shadow: inset 0 -2px currentColor; }
    [data-sample] { margin-inline-end: var(--space-4); }
    .link { min-height: var(--press); }
  `;

  // They are above the picture, which would move if they came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { store } = this;
    const all = Object.entries(store.documents.document.inputs);
    const first = this.more ?? MOST;
    // What is wrong is seen wherever it stands.
    const entries = all.length <= first ? all
      : all.filter(([name], k) => k < first || store.errorAt(join('inputs', name)) !== undefined);
    const seed = store.value('/seed');
    const alone = all.length === 1;
    const optional = offered(store.book, store.documents.document);
    const answer = answerOf(store.documents.document, store.sessions.result);
    return html`${entries.map(([name, input], k) => name === answer && !this.opened ? this.wrote(name, input)
      : html`<div class="input" data-input=${name}>
        <div class="head">
          <h2>${this.heading(name, answer, alone)}</h2>
          ${name === answer ? this.answered(input) : nothing}
          ${isObject(input['features']) || (answer !== undefined && name !== answer) ? html`<span class="note">
            ${isObject(input['features']) ? this.honest(name, input['features'], k, seed) : nothing}
            <button class="link" data-part="type" data-of=${name} aria-expanded=${this.typing === name}
              @click=${() => (this.typing = this.typing === name ? undefined : name)}>
              ${this.typing === name ? strings.doneTyping : strings.useYourOwn}</button></span>` : nothing}
          ${this.bare ? nothing : html`<button class="link note" data-dialog="bring" aria-haspopup="dialog"
            @click=${() => this.bring({ into: name })}>${strings.bring.openFile}</button>`}
          ${isObject(input['features']) && Array.isArray(input['features']['matrix'])
            ? html`<span class="note"><button class="link"
            @click=${() => this.words(name, input)}>${strings.backToWords}</button></span>` : nothing}
          ${answer !== undefined && name !== answer ? this.samples(name, input) : nothing}
          ${this.removable(name) ? html`<button class="link note"
            @click=${() => store.documents.change((d) => { store.shelf[name] = d.inputs[name]!;
            delete d.inputs[name]; })}>${strings.removeInput(name)}</button>` : nothing}
        </div>
        ${this.typing === name ? this.box(name, input) : this.body(name, input, name === answer)}
        ${name === answer ? this.truth(name) : nothing}
        ${this.cuts(name)}${this.problem(join('inputs', name), strings.input(name))}</div>`)}
      ${all.length > first ? html`<button class="link" data-part="more" @click=${() => (this.more = first + MOST)}>${
        strings.showMore(Math.min(all.length - first, MOST), all.length - first)}</button>` : nothing}
      ${this.problem('/inputs', strings.inputs)}
      ${optional.length ? html`<div class="more">${optional.map((role) => html`<button class="link note"
        @click=${() => store.documents.change((d) =>
          addInput(store.book, d, role, store.shelf, undefined, [...strings.sampleTokens]))}>${
          strings.addInput(role.name)}</button>`)}</div>` : nothing}`;
  }

  // Words are chips; numbers that have no words are a matrix to be typed over.
  private body(name: string, input: JsonObject, written: boolean): unknown {
    const { document } = this.store.documents;
    const model = Array.isArray(input['data']) && isTrained(document)
      ? texts.use(this)?.[0].modelOf(document) : undefined;
    if (model?.writes.input === name && model.writes.kind === 'classes') return classes.use(this)
      ? html`<ap-classes .model=${model} .input=${name}></ap-classes>` : nothing;
    if (model?.writes.source === name) return html`<ap-source .model=${model}></ap-source>`;
    if (model?.writes.input === name) return html`<ap-pieces .model=${model}></ap-pieces>`;
    const tensor = this.store.sessions.result?.find(name, 'inputs');
    if (Array.isArray(input['tokens']) || Array.isArray(input['labels']) || !tensor) {
      return html`<ap-tokens .name=${name} ?written=${written} @type=${() => (this.typing = name)}></ap-tokens>`;
    }
    if (this.isImage(name)) return images.use(this) ? html`<ap-image .input=${name}></ap-image>` : nothing;
    const shown = plane(tensor, this.store.selection.chosen);
    const [w, h] = [Math.min(shown.cols * 28, 480), Math.min(shown.rows * 18, 240)];
    return html`<ap-matrix data-tensor=${name} .plane=${shown} .w=${w} .h=${h}></ap-matrix>
      <p class="note">${strings.numbersHelp}</p>`;
  }

  // At first an answer is a line to be read.
  private wrote(name: string, { tokens }: JsonObject): unknown {
    const words = (tokens as string[]).map(shownWord);
    const marks = marksOf(this.store, words);
    const said = spaced(words).map(({ text, at }) => html`<span class="place" data-text=${text}><button
      class="word ${marks.get(at) ?? ''}" data-word=${at}
      @pointerenter=${() => this.store.selection.pointWord({ labels: words, at })}
      @pointerleave=${() => this.store.selection.pointWord(undefined)}
      @click=${() => lookAt(this.store, words, at)}>${text}</button></span>`);
    return html`<div class="input" data-input=${name}><h2 class="unseen">${strings.answer.title}</h2>
      <p class="wrote"><span><span aria-hidden="true">${arrow()}</span> <b class="query"
        dir="auto">${said}</b></span>
        ${this.answered({ tokens: tokens ?? [] })}
        <button class="link note" data-part="open-answer" aria-label="${strings.change}: ${strings.answer.title}"
          @click=${() => (this.opened = true)}>${strings.change}</button></p>
      ${this.truth(name)}
      ${this.problem(join('inputs', name), strings.input(name))}</div>`;
  }

  // What there is to do with an answer; who hears the page hears each new answer instead.
  private answered({ tokens }: JsonObject): unknown {
    const { writing, news } = this.store.writer;
    return html`<span class="note" data-part="answer">${writing ? strings.answer.writing
      : html`<span class="asks">${strings.answer.note}</span>`}</span><span class="unseen" role="status"
      data-part="answers-now">${news && !writing ? strings.answer.now(writtenOut((tokens as string[]).map(shownWord)))
        : nothing}</span>`;
  }

  // Whether the answer is right, where the task that the model learned knows it.
  private truth(name: string): unknown {
    const { truth, unable } = this.store.writer;
    if (!unable && truth?.input !== name) return nothing;
    return truths.use(this) ? html`<ap-truth .name=${name}></ap-truth>` : nothing;
  }

  private heading(name: string, answer: string | undefined, alone: boolean): string {
    if (name === answer) return strings.answer.title;
    if (answer !== undefined && Array.isArray(this.store.documents.document.inputs[name]?.['tokens'])) {
      return strings.answer.reads;
    }
    return alone ? strings.inputs : strings.input(name);
  }

  // Of the model that the page opens on: other sentences that it knows.
  private samples(name: string, input: JsonObject): unknown {
    const { documents, example } = this.store;
    if (JSON.stringify(documents.document['parameters']) !== JSON.stringify(example['parameters'])) return nothing;
    // Numbers may have been put in place of the words.
    if (!Array.isArray(input['tokens'])) return nothing;
    const others = SAMPLES.filter((one) => one !== sentence(input['tokens'] as string[]));
    const links = others.map((one) => html`<button class="link" lang="en" dir="ltr" data-sample=${one}
      @click=${() => documents.set(join('inputs', name, 'tokens'), one.split(' '))}>${one}</button> `);
    return html`<span class="note">${strings.answer.or} ${links}</span>`;
  }

  // Levels that its words are cut into.
  private cuts(name: string): unknown {
    const { book, documents } = this.store;
    const [, cut] = spans.use(this) ?? [];
    return cut?.cutsOf(book, documents.document).filter(({ input }) => input === name)
      .map((one) => html`<ap-spans data-path=${one.path} .cut=${one}></ap-spans>`) ?? nothing;
  }

  private isImage(name: string): boolean {
    const { book, documents } = this.store;
    return imagePorts(book, documents.document).some(({ input }) => input === name);
  }

  // What the numbers are, and what they are not.
  private honest(name: string, features: JsonObject, k: number, seed: Json | undefined): unknown {
    const { type } = features;
    if (type === 'words') return strings.wordVectors(this.drawn);
    if (type === 'one-hot') return strings.oneHot;
    if (type === 'sinusoidal') return strings.sinusoidal;
    if (Array.isArray(features['matrix'])) return this.vocabulary(name) ? strings.numbersUnused : strings.givenNumbers;
    const own = typeof features['seed'] === 'number' ? features['seed'] : seed;
    const said = (k === 0 || own !== seed) && typeof own === 'number' ? strings.randomFeatures(String(own)) : nothing;
    return html`${said} <button class="link inline" data-part="use-words"
      @click=${() => this.useWords()}>${strings.useWords}</button>`;
  }

  // Whether any matrix was drawn at random, and so is not trained.
  private get drawn(): boolean {
    const given = Object.keys((this.store.documents.document['parameters'] ?? {}) as JsonObject);
    return this.store.sessions.result?.tensors.some(({ group, name }) =>
      group === 'parameters' && !given.includes(name)) ?? false;
  }

  // All inputs at once: what is compared should be of one kind.
  private useWords(): void {
    this.store.documents.change((draft) => {
      for (const input of Object.values(draft.inputs)) {
        const { features } = input;
        if (!isObject(features) || features['type'] !== 'embedding') continue;
        input['features'] = { type: NATURAL.type, dim: Math.min(Number(features['dim'] ?? NATURAL.dim), WIDEST_WORDS) };
      }
    });
  }

  private bring(given: Given): void {
    this.dispatchEvent(new CustomEvent('bring', { detail: given, bubbles: true, composed: true }));
  }

  // Numbers that are pasted where words are typed are not words.
  private paste(event: ClipboardEvent, into: string): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksLikeData(text)) return;
    event.preventDefault();
    this.bring({ text, into });
  }

  // The features that the words had before a cell was typed over.
  private words(name: string, input: JsonObject): void {
    const rows = (input['features'] as JsonObject)['matrix'] as Json[][];
    const features = this.store.shelf[`${name} features`]
      ?? { type: NATURAL.type, dim: Math.min(rows[0]?.length ?? 1, WIDEST_WORDS) };
    this.store.documents.set(join('inputs', name, 'features'), features);
  }

  // Only an input that another can stand in for may go.
  private removable(name: string): boolean {
    const { book } = this.store;
    const { document } = this.store.documents;
    if (Object.keys(document.inputs).length < 2) return false;
    const { [name]: _gone, ...inputs } = document.inputs;
    const role = offered(book, { ...document, inputs }).find((r) => r.name === name);
    return role !== undefined && !role.required;
  }

  private vocabulary(name: string): string[] | undefined {
    const { book, documents } = this.store;
    return vocabularyOf(book, documents.document, name);
  }

  private box(name: string, input: JsonObject): unknown {
    const tokens = Array.isArray(input['tokens']) ? (input['tokens'] as string[]) : [];
    const vocabulary = this.vocabulary(name);
    const tokensOf = (text: string) => spelled(tokenise(text), vocabulary);
    // The box keeps what is being typed, a space at its end too, as long as these are the words of the document.
    const typed = this.typed?.name === name && tokensOf(this.typed.text).join('\n') === tokens.join('\n')
      ? this.typed.text : sentence(tokens).slice(0, LONGEST_TEXT);
    return html`<textarea rows="2" dir="auto" maxlength=${LONGEST_TEXT} aria-label=${strings.typeSentence}
      .value=${typed}
      @input=${(e: Event) => {
        const text = (e.target as HTMLTextAreaElement).value;
        this.typed = { name, text };
        this.store.documents.set(join('inputs', name, 'tokens'), tokensOf(text), `text ${name}`);
      }}
      @change=${() => this.store.documents.endGesture()} @paste=${(e: ClipboardEvent) => this.paste(e, name)}
      @keydown=${(e: KeyboardEvent) => {
        if (e.key === 'Enter' || e.key === 'Escape') { e.preventDefault(); this.leaveBox(name); } }}></textarea>${
      vocabulary ? known(this.store, name, tokens, vocabulary) : nothing}`;
  }

  // The box goes, and the focus returns to the button that opened it.
  private leaveBox(name: string): void {
    this.typing = undefined;
    this.store.documents.endGesture();
    void this.updateComplete.then(() =>
      [...this.renderRoot.querySelectorAll<HTMLElement>('[data-of]')]
        .find((one) => one.dataset['of'] === name)?.focus());
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('typing') || this.typing === undefined) return;
    // What is typed first takes the place of what is there.
    const box = this.renderRoot.querySelector('textarea');
    box?.focus();
    box?.select();
  }

  private problem(path: string, field: string): unknown {
    const message = this.store.errorAt(path);
    return message === undefined ? nothing
      : html`<p class="error" role="alert">${objection(field, message)} ${strings.stillShown}</p>`;
  }
}
customElements.define('ap-inputs', InputsElement);
