// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import { editable, scaleRow } from '../flow/write.ts';
import { known } from './known-words.ts';
import { lookAt, marksOf } from './look.ts';
import { specialIn, spelled, unknownIn, usualOf, vocabularyOf, withoutUnknown } from '../state/vocabulary.ts';
import type { Json, JsonObject } from '../engine/types.ts';
import { Part, property, reactive } from '../part.ts';
import { isObject, join } from '../engine/pointer.ts';
import { coarse } from '../coarse-pointer.ts';
import { givenNumbers } from '../state/seeded.ts';
import { tokenise } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { readingOf } from '../strings/order.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { shortened, shownPiece, shownWord } from '../strings/displayed-word.ts';
import { warningsOf } from '../engine/encoder.ts';
import { rank, type Rank } from '../turns.ts';

const MOST = 200;
/** More words than fit in so many lines, with the gaps between them, are scrolled. */
const LINES = 8.5;

interface Word {
  token: string;
  row?: Json[] | undefined;
}

// Every order is as likely as every other, but for the one that is there.
function shuffle(list: Word[]): void {
  const before = list.map(({ token }) => token).join('\n');
  for (let turn = 0; turn < 20 && (turn === 0 || list.map(({ token }) => token).join('\n') === before); turn++) {
    for (let last = list.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [list[last], list[other]] = [list[other]!, list[last]!];
    }
  }
}

/** The tokens of one input as chips: edit, add, delete, move. */
export class TokensElement extends Part {
  @property() name!: string;
  /** A model wrote these words: they are not shuffled. */
  @property({ type: Boolean }) written: boolean | undefined;
  @reactive editing: number | undefined;
  /** The word that a finger chose last. */
  @reactive touched: number | undefined;
  private dragged: number | undefined;

  // ul.long: Half a line is seen of what does not fit: there is more.
  static override styles = css`
    summary { padding-block: calc((var(--press) - var(--leading-note)) / 2); }
    ul { display: flex; flex-wrap: wrap; gap: var(--space-3);
      padding: var(--space-2); margin: calc(-1 * var(--space-2)); }
    ul.long { overflow-y: auto; max-height: calc(5.5 * (var(--control) + var(--space-3)));
      border-block-end: 1px solid var(--line2); }
    .chip {
      display: flex; align-items: center; gap: var(--space-3); min-height: var(--control);
      padding: 0 var(--space-4);
      min-width: var(--control);
        max-width: 240px;
      border: 1px solid var(--line2); border-radius: var(--radius); background: var(--raised);
      font-size: var(--text-read); cursor: pointer;
    }
    .chip span { overflow: hidden; text-overflow: ellipsis; white-space: pre; }
    .chip small { font-size: var(--text-mark); color: var(--ink2); }
    .chip.query { border-color: var(--query); box-shadow: inset 0 -2px var(--query); color: inherit; }
    .chip.key { border-color: var(--key); box-shadow: inset 0 -2px var(--key); color: inherit; }
    .chip:hover { background: var(--hover); }
    .chip.unknown, .chip.special { border-style: dashed; border-color: var(--ink2); }
    .chip.unknown span { text-decoration: underline wavy var(--ink2) 1px; text-underline-offset: 3px; }
    .link { display: var(--offer, inline-block); }
    .chip.dashed { display: var(--offer, flex); }
    .dashed { border-style: dashed; background: none; color: var(--ink2); font-size: var(--text); }
    input { width: 110px; height: var(--control); font-size: var(--text-read); }
    .actions { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-7); margin-top: var(--space-2); }
    details, [data-part='unknown'], [data-part='special'] { margin-top: var(--space-5); }
    li.over .chip { outline: 2px dashed var(--ink3); outline-offset: 1px; }
    .actions .link { min-height: var(--press); }
  `;

  // They are above the picture, which would move if they came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  // What was measured last.
  private held = '';
  // A slider's move changes the document, but not its words.
  private own: ReadonlySignal<{ [key: string]: unknown } | undefined> | undefined;
  private list: ReadonlySignal<string[] | undefined> | undefined;

  private get input(): { [key: string]: unknown } {
    const { name, store: { documents } } = this;
    return (this.own ??= computed(() => documents.document.inputs[name])).value ?? {};
  }

  private get vocabulary(): string[] | undefined {
    const { name, store } = this;
    return (this.list ??= computed(() => vocabularyOf(store.book, store.documents.document, name))).value;
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('name')) this.own = this.list = undefined;
  }

  private get given(): boolean {
    return this.input['tokens'] === undefined;
  }

  private get tokens(): string[] {
    const list = this.input['tokens'] ?? this.input['labels'];
    if (Array.isArray(list)) return list.map(String);
    const rows = this.input['matrix'];
    return Array.isArray(rows) ? rows.map((_, k) => String(k)) : [];
  }

  override render(): unknown {
    const { tokens } = this;
    const words = tokens.map(shownWord);
    const marks = marksOf(this.store, words);
    const { documents } = this.store;
    const vocabulary = this.written ? undefined : this.vocabulary;
    const unknown = new Set(vocabulary && unknownIn(tokens, vocabulary));
    const special = new Set(vocabulary && specialIn(tokens, vocabulary, usualOf(documents.base, this.name)));
    const describedBy = (token: string) => (unknown.has(token) ? 'unknown help' : special.has(token) ? 'special help'
      : 'help');
    return html`<ul dir=${readingOf(tokens)}>${tokens.slice(0, MOST).map((token, k) => html`<li
        @dragover=${(e: DragEvent) => this.dragged !== undefined && e.preventDefault()} @drop=${() => this.drop(k)}>
        ${this.editing === k ? this.editor(token)
          : html`<button class="chip ${marks.get(k) ?? ''} ${
            unknown.has(token) ? 'unknown' : special.has(token) ? 'special' : ''}"
          draggable=${!this.given}
          aria-describedby=${describedBy(token)}
          @pointerenter=${() => this.store.selection.pointWord({ labels: words, at: k })}
          @pointerleave=${() => this.store.selection.pointWord(undefined)}
          @click=${() => this.choose(words, k)} @dblclick=${() => this.edit(k)}
          @keydown=${(e: KeyboardEvent) => this.key(e, k)}
          @dragstart=${() => (this.dragged = k)}
          @dragend=${() => (this.dragged = undefined)}><small>${k}</small><span
          dir="auto">${shownPiece(words[k]!)}</span></button>`}</li>`)}
      ${tokens.length > MOST ? html`<li class="note">${strings.moreTokens(tokens.length - MOST)}</li>` : nothing}
      ${this.editing === tokens.length ? html`<li>${this.editor('')}</li>` : nothing}
      ${this.given ? nothing : html`<li><button class="chip dashed"
        @click=${() => (tokens.length ? this.edit(tokens.length) : this.dispatchEvent(new Event('type')))}>
        ${tokens.length ? strings.addToken : strings.typeSentence}</button></li>`}</ul>
      ${vocabulary ? known(this.store, this.name, tokens, vocabulary) : nothing}
      ${this.warned()}
      ${this.actions(words, marks)}
      <span class="unseen" id="help">${strings.tokenHelp}</span>`;
  }

  // What the engine did with these words that their reader would not expect.
  private warned(): unknown {
    const here = join('inputs', this.name);
    const { result } = this.store.sessions;
    const { book, documents } = this.store;
    const own = withoutUnknown(result ? warningsOf(result.directory) : [], book, documents.document)
      .filter(({ path }) => path === here || path.startsWith(`${here}/`));
    return own.map(({ message }) =>
      html`<p class="note" role="status" data-part="warned">${withQuotes(quote(message))}</p>`);
  }

  // What is asked most of a sentence: another order, a word that weighs more or points the other way.
  private actions(words: string[], marks: Map<number, string>): unknown {
    const { result } = this.store.sessions;
    const tensor = result?.find(this.name, 'inputs');
    const [chosen] = [...marks].find(([, mark]) => mark === 'query') ?? [...marks][0] ?? [];
    const word = chosen === undefined ? undefined : words[chosen];
    const can = tensor?.shape.length === 2 && tensor.shape[0] === words.length && editable(tensor, result!);
    // Where only the words are read, another word is what there is to try.
    const reads = tensor !== undefined && !can && !this.given && !result!.reads(tensor);
    if (this.written || (words.length < 2 && word === undefined)) return nothing;
    const scale = (by: number) => () => scaleRow(this.store, tensor!, [chosen!, 0], by);
    return html`<div class="actions">${
      this.given || new Set(words).size < 2 ? nothing
      : html`<button class="link note" data-part="shuffle"
      @click=${() => this.put(shuffle)}>${
        givenNumbers(this.input as JsonObject) ? strings.shuffleRows : strings.shuffle}</button>`}
      ${this.byFinger(words)}
      ${word === undefined || !reads || coarse.matches ? nothing
        : html`<button class="link note" data-part="another" @click=${() =>
          this.edit(chosen!)}>${strings.anotherWord(word)}</button>`}
      ${word === undefined || !can ? nothing
        : html`<button class="link note" data-row="2" @click=${scale(2)}>${
          strings.doubleWord(shownPiece(word))}</button>
        <button class="link note" data-row="-1" @click=${scale(-1)}>${
          strings.negateWord(shownPiece(word))}</button>`}</div>`;
  }

  // What else is done with keys, a double click, or by dragging.
  private byFinger(words: string[]): unknown {
    const k = this.touched;
    if (k === undefined || k >= words.length || this.given || !coarse.matches) return nothing;
    const move = (to: number) => () => {
      this.move(k, to);
      this.touched = to;
    };
    return html`<button class="link note" data-part="another" @click=${() =>
      this.edit(k)}>${strings.anotherWord(words[k]!)}</button>
      ${k > 0 ? html`<button class="link note" data-part="earlier" @click=${move(k - 1)}>${
        strings.moveEarlier}</button>` : nothing}
      ${k < words.length - 1 ? html`<button class="link note" data-part="later" @click=${move(k + 1)}>${
        strings.moveLater}</button>` : nothing}
      ${words.length > 1 ? html`<button class="link note" data-part="remove" @click=${() => {
        this.put((list) => list.splice(k, 1));
        this.touched = undefined;
      }}>${strings.removeWord(words[k]!)}</button>` : nothing}`;
  }

  private editor(token: string): unknown {
    return html`<input dir="auto" aria-label=${token === '' ? strings.newToken : shownWord(token)}
      .value=${shortened(token)} maxlength="200"
      @keydown=${this.editorKey} @blur=${(e: Event) => this.commit((e.target as HTMLInputElement).value)} />`;
  }

  private choose(words: string[], k: number): void {
    this.touched = k;
    lookAt(this.store, words, k);
  }

  private edit(k: number): void {
    if (!this.given) this.editing = k;
  }

  // Whether the words need more lines. To measure has the browser lay out the page, and most updates, such as those of
  // a slider's move, change no word.
  private measure(): void {
    const held = [innerWidth, this.editing, ...this.tokens.slice(0, MOST)].join('\n');
    if (held === this.held) return;
    this.held = held;
    const list = this.renderRoot.querySelector('ul');
    list?.classList.toggle('long', list.childElementCount > LINES
      && list.scrollHeight > LINES * (list.querySelector('li')?.offsetHeight ?? 0));
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    this.measure();
    if (!changed.has('editing') || this.editing === undefined) return;
    const input = this.renderRoot.querySelector('input');
    input?.focus();
    input?.select();
  }

  private editorKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    const at = this.editing ?? 0;
    if (event.key === 'Enter') this.commit((event.target as HTMLInputElement).value);
    this.editing = undefined;
    void this.updateComplete.then(() => this.focusChip(Math.min(at, this.tokens.length - 1)));
  }

  private commit(text: string): void {
    const at = this.editing;
    this.editing = undefined;
    // A word that nobody changed stays as it is, whatever stands in it; a field drops the ends of lines.
    if (at === undefined || text === shortened(this.tokens[at] ?? '').replaceAll(/[\r\n]/g, '')) return;
    const words = spelled(tokenise(text), this.vocabulary);
    if (words.length > 0) this.put((list) =>
      list.splice(at, 1, ...words.map((token, k) => ({ ...list[at], token, ...(k > 0 ? { row: undefined } : {}) }))));
  }

  private key(event: KeyboardEvent, k: number): void {
    // The arrow that points on, as the words are read.
    const on = readingOf(this.tokens) === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const to = k + (event.key === on ? 1 : -1);
      this.move(k, to);
      void this.updateComplete.then(() => this.focusChip(to));
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      this.focusChip(k + (event.key === on ? 1 : -1));
    else if (event.key === 'F2') this.edit(k);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (this.given) return;
      this.put((list) => list.splice(k, 1));
      void this.updateComplete.then(() => this.focusChip(Math.min(k, this.tokens.length - 1)));
    } else if (event.key === 'Escape') this.store.selection.hold(undefined);
    else return;
    event.preventDefault();
  }

  private drop(to: number): void {
    if (this.dragged !== undefined) this.move(this.dragged, to);
    this.dragged = undefined;
  }

  private move(from: number, to: number): void {
    if (this.given || to < 0 || to >= this.tokens.length) return;
    this.put((list) => list.splice(to, 0, ...list.splice(from, 1)));
  }

  // Numbers given for a word go where it goes; a new word starts with zeros.
  private put(edit: (list: Word[]) => void): void {
    this.store.documents.change((draft) => {
      const input = draft.inputs[this.name];
      if (!input || !Array.isArray(input['tokens'])) return;
      const features = isObject(input['features']) ? input['features'] : {};
      const rows = Array.isArray(features['matrix']) ? (features['matrix'] as Json[][]) : undefined;
      const list = (input['tokens'] as string[]).map((token, k): Word => ({ token, row: rows?.[k] }));
      edit(list);
      input['tokens'] = list.map(({ token }) => token);
      if (rows) features['matrix'] = list.map(({ row }) => row ?? (rows[0] ?? []).map(() => 0));
    });
  }

  private focusChip(k: number): void {
    this.renderRoot.querySelectorAll<HTMLElement>('.chip')[k]?.focus();
  }
}
customElements.define('ap-tokens', TokensElement);
