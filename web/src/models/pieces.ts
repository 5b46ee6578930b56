// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, type PropertyValues } from 'lit';
import { EarlierOfEach } from '../card/earlier.ts';
import { sizeOfFile } from '../files/data.ts';
import type { Doc } from '../engine/types.ts';
import { reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { Later } from '../lazy-fetch.ts';
import { fixed } from '../strings/numerals.ts';
import { UNASKED } from './limits.ts';
import { nextWords } from '../state/next-words.ts';
import { blankRows, wordsOnTheWay, type Read } from './coming.ts';
import { type Before, heard, likelyWords, sameList, samplingFields, START } from './likely-words.ts';
import { afterStart, startsAgain, TextElement } from './texts.ts';
import type { Failed, Masked, Next, Pieces, Sampling } from './types.ts';
import { words } from './words.ts';
import { idsIn, putPieces } from './put-tokens.ts';
import { stackOf } from './logit-parts.ts';
import { activationsRounded, alsoIn, type Difference, differenceOf, int8Activations, listsIn, roundActivations,
  unrounded } from './rounded.ts';
import { writing } from './writing.ts';

const MANY = 20;
// A text with an end is written to it; one that never ends stops here.
const TO_THE_END = 200;
// Of so many texts it is known what their words were before a change of the model.
const TEXTS = 30;
/** Milliseconds without a new word. */
const PAUSE = 600;

const logits = new Later(() => import('./logit-element.ts'), false);
const textLoss = new Later(() => import('../text-loss/element.ts'), false);

/** What came after the text, by which document; `entered`: what of its list was not likely there and is likely now. */
interface Answered {
  said: Next | Masked;
  document: Doc;
  entered?: Next | Masked;
}

/** The text that a model of another program continues: typed into its tokens, and the words that it writes next. */
export class PiecesElement extends TextElement {
  /** What comes after the text. */
  @reactive said: Next | Masked | undefined;
  @reactive sampling: Sampling = { ...START };
  /** It writes word after word. */
  @reactive running = false;
  /** So much of the weights was read for the words that are asked for; none are. */
  @reactive reading: Read | 'none' = 'none';
  /** How far int8 activations move the words; undefined until that is known. */
  @reactive difference: Difference | undefined;
  /** What came after the same text before the last change of the model, if that was something else. */
  @reactive earlier: Answered | undefined;
  /** The parts of a word's logit are shown. */
  @reactive taken = false;
  /** The loss over a text is shown. */
  @reactive overText = false;
  // Undo comes back to a text.
  private readonly answers = new EarlierOfEach<Answered>((one, other) => {
    const [lists, others] = [listsIn(one.said), listsIn(other.said)];
    return lists.length === others.length && lists.every((list, k) => sameList(list, others[k]!));
  }, TEXTS);
  /** The likeliest word after a change, for who hears the page. */
  @reactive news = '';
  /** What the words are of: the document's text, its model and how they are drawn. */
  private of = '';
  private saidOf = '';
  private turn = 0;
  private made = 0;
  /** The source whose target was begun without being asked for. */
  private begun = '';
  /** Words are being chosen and put, one or more. */
  private writing = false;

  static override styles = [TextElement.styles, css`
    .row { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center;
      margin: var(--space-3) 0; }
    .next { display: grid; grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content;
      gap: var(--space-1) var(--space-6); align-items: center; margin: var(--space-3) 0; }
    .next.changed { grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content max-content; }
    .next > div { position: relative; }
    .next .was { position: absolute; top: calc(-1 * var(--space-1)); bottom: calc(-1 * var(--space-1));
      border-inline-start: 2px solid var(--ink); }
    .next .bar { height: var(--space-4); background: var(--weight); border-radius: var(--radius); min-width: 1px; }
    .next .blank { visibility: hidden; }
    .next .blank ~ * { visibility: hidden; }
    .coming progress { width: 120px; height: var(--space-3); vertical-align: middle; accent-color: var(--ink); }
    .next button { white-space: pre; overflow: hidden; text-overflow: ellipsis; text-align: start; }
    summary { cursor: pointer; min-height: var(--press); align-content: center; }
    .sampling label { display: inline-flex; gap: var(--space-2); align-items: center; }
    .sampling input { width: 72px; }
  `];

  protected get input(): string {
    return this.model.writes.input;
  }

  protected get most(): number {
    return this.model.writes.length ?? 0;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('model') && changed.get('model') !== undefined)
      this.said = this.earlier = this.difference = undefined;
  }

  override disconnectedCallback(): void {
    if (nextWords.get(this.store) === this) nextWords.delete(this.store);
    super.disconnectedCallback();
  }

  override updated(): void {
    super.updated();
    nextWords.set(this.store, this);
    if (sizeOfFile(this.model.file) <= UNASKED) void this.foretell();
    // Of a large model words are computed when they are asked for; until then there are none of this text.
    else if (this.said && !this.writing && this.question !== this.of) this.said = this.difference = undefined;
    if (this.saidOf === this.question && this.isAtStart && this.begun !== this.source && !this.writing) {
      this.begun = this.source;
      void this.write(TO_THE_END);
    }
  }

  /** What the encoder reads; empty where there is one text. */
  private get source(): string {
    const { name, writes } = this.model;
    return writes.source === undefined ? ''
      : JSON.stringify([name, idsIn(this.store.documents.document.inputs[writes.source])]);
  }

  // Whether a target is to be written of which there is nothing yet.
  private get isAtStart(): boolean {
    const { start, source } = this.model.writes;
    return source !== undefined && JSON.stringify(this.ids) === JSON.stringify(start ?? []);
  }

  /** What the words depend on. */
  private get question(): string {
    const { inputs: _, ...computes } = this.store.documents.document;
    return JSON.stringify([this.model.name, computes, this.source, this.ids, this.sampling]);
  }

  override render(): unknown {
    const { model } = this;
    const rounded = activationsRounded(this.store.documents.document);
    const masked = model.writes.kind === 'masked' ? html`. ${words().mask}` : nothing;
    const isTarget = model.writes.source !== undefined;
    return html`${this.box(isTarget ? words().typeTarget : words().typeText, this.running)}
      <p class="note">${this.count()}${masked}${isTarget ? html`. ${words().targetNote}` : nothing}</p>
      ${this.wrong()}<ap-tokens .name=${this.input}></ap-tokens>
      <span class="unseen" role="status" data-part="next-now">${this.news}</span>${this.answered()}
      ${rounded || (model.hasInt8 && this.said) ? int8Activations(rounded, this.difference, (wanted) => {
        this.store.documents.change((draft) => roundActivations(draft, wanted));
        // The reader has asked, however large the model is.
        void this.foretell(true);
      }) : nothing}
      <details data-part="text-loss" ?open=${this.overText} @toggle=${(e: Event) =>
        (this.overText = (e.target as HTMLDetailsElement).open)}><summary>${words().textLoss}</summary>${
        this.overText && textLoss.use(this) ? html`<ap-text-loss .model=${model} .rows=${this.rows}></ap-text-loss>`
        : nothing}</details>`;
  }

  private answered(): unknown {
    const { said } = this;
    const asking = html`<div class="row"><button class="button" data-part="ask"
      @click=${() => void this.foretell(true)}>${words().ask}</button></div>`;
    if (!said && this.reading === 'none') {
      const isLarge = sizeOfFile(this.model.file) > UNASKED;
      return isLarge ? asking : this.problem !== undefined || this.ids.length === 0 ? nothing : this.doing(undefined);
    }
    if (!said) return this.doing(this.reading as Read);
    if ('masked' in said) {
      return said.masked.map(({ row, words: list }, nth) => html`<h3>${words().nextFor(row)}</h3>${
        likelyWords(list, words().fill, (one) => void this.put(this.ids.map((id, k) => (k === row ? one.id : id))),
          this.wasAt(nth), said.masked[nth]!.also)}`);
    }
    return html`<section data-part="next"><h3>${words().next}</h3>
      ${likelyWords(said.next, words().append, ({ id }) => void this.put([...this.ids, id]),
        this.wasAt(0), said.also, said.full)}
      ${said.full ? html`<p class="note">${words().full(this.model.writes.length ?? 0)}</p>`
        : said.ended ? html`<p class="note">${words().ended}</p>` : nothing}
      ${this.controls(said.full || said.ended)}
      <p class="note" data-part="took" data-milliseconds=${said.milliseconds} data-rows=${said.rows}>${
        // Where nothing had to be computed again there is no time to tell of.
        [[...(said.rows > 0 ? [words().took(fixed(said.milliseconds, 1), said.rows)] : []),
          ...(said.state ? [words().keeps(fixed(said.state.bytes / 1000, 1))] : [])].join(strings.semicolon),
          said.whole ? words().whole : ''].filter(Boolean).join('. ')}</p>${this.parts(said)}</section>`;
  }

  // What the parts of the model add to a logit, where they add up to it.
  private parts(said?: Next): unknown {
    const { documents: { document }, sessions: { result } } = this.store;
    if (!stackOf(document, this.model.writes.predicts)) return nothing;
    return html`<details data-part="logit-parts" ?open=${this.taken} @toggle=${(e: Event) =>
      (this.taken = (e.target as HTMLDetailsElement).open)}><summary>${words().logitParts}</summary>${
      !this.taken ? nothing : !said ? html`<p class="note">${words().computingWords}</p>`
        : result && logits.use(this) ? html`<ap-logit-parts .model=${this.model} .list=${said.next}
        .row=${this.ids.length - 1}></ap-logit-parts>` : nothing}</details>`;
  }

  // Of the list in this place.
  private wasAt(nth: number): Before | undefined {
    if (!this.earlier) return undefined;
    const { said, entered } = this.earlier;
    return { list: listsIn(said)[nth] ?? [],
      also: [...alsoIn(said)[nth] ?? [], ...(entered ? alsoIn(entered)[nth] ?? [] : [])] };
  }

  // Before there are words everything has its place already.
  private doing(read: Read): unknown {
    const { kind } = this.model.writes;
    return html`<section data-part="coming" aria-busy="true"><h3>${words().next}</h3>${blankRows(this.rows)}
      ${kind === 'masked' ? nothing : this.controls(true)}${wordsOnTheWay(read)}${
        kind === 'masked' ? nothing : this.parts()}</section>`;
  }

  private controls(off: boolean): unknown {
    const many = this.model.writes.source === undefined ? MANY : TO_THE_END;
    return html`<div class="row"><button class="button" data-part="write" ?disabled=${off || this.running}
        @click=${() => void this.write(1)}>${words().write}</button>
        ${this.running ? html`<button class="button" data-part="stop" @click=${() => (this.running = false)}>${
          words().stop}</button>` : html`<button class="button" data-part="write-many" ?disabled=${off}
          @click=${() => void this.write(many)}>${many === MANY ? words().writeMany(MANY)
            : words().writeToEnd}</button>`}${this.again()}</div>
      ${samplingFields(this.sampling, (sampling) => {
        this.sampling = sampling;
        void this.foretell(true);
      })}`;
  }

  // A target that was written can be written again, with other draws or word by word.
  private again(): unknown {
    return this.model.writes.source === undefined ? nothing : html`<button class="button" data-part="again"
      ?disabled=${this.running || this.isAtStart} @click=${() => void this.begin()}>${words().beginAgain}</button>`;
  }

  private async begin(): Promise<void> {
    const pieces = await startsAgain(this.model);
    if (!pieces || this.failed(pieces)) return;
    this.made = 0;
    this.store.documents.change((draft) => putPieces(draft, this.model, pieces));
  }

  // A target that is typed follows the tokens with which the decoder begins.
  protected override placed(split: Pieces): Promise<Pieces | Failed | undefined> | Pieces {
    return this.model.writes.source === undefined ? split : afterStart(this.model, split);
  }

  protected override typed(): void {
    this.made = 0;
  }

  /** Asks what comes next, unless it is known. */
  private async foretell(again = false): Promise<void> {
    const { document } = this.store.documents;
    const { ids, model, sampling } = this;
    const of = this.question;
    if (ids.length === 0 || (!again && of === this.of)) return;
    this.of = of;
    const turn = ++this.turn;
    this.reading = undefined;
    // A word that leaves the list has a probability all the same.
    const listed = [this.said, this.earlier?.said].flatMap((one) => (one ? listsIn(one).flat() : []));
    const also = [...new Set(listed.map(({ id }) => id))];
    const said = await writing().next(model, document, ids, sampling, this.made, also, (done, all) => {
      if (turn === this.turn) this.reading = [done, all];
    });
    if (turn !== this.turn) return;
    this.reading = 'none';
    if (!said) return;
    if (this.failed(said)) return void (this.said = undefined);
    const { starts } = this.store.documents;
    this.earlier = this.answers.of(JSON.stringify([starts, model.writes, this.source, ids, sampling]),
      { said, document }, this.store.documents.held);
    if (this.said === undefined || JSON.stringify(said) !== JSON.stringify(this.said)) this.said = said;
    this.difference = undefined;
    // Words that are written one after the other would be too much to hear.
    if (this.saidOf !== '' && this.saidOf !== of && !this.running)
      this.news = 'masked' in said ? said.masked.map(({ row, words: list }) => heard(list, row)).join(' ')
        : heard(said.next);
    // The same words may be those of another text.
    if (this.saidOf !== of) this.requestUpdate();
    this.saidOf = of;
    void this.compare(said, turn);
  }

  // What takes a run of the whole text by another document: it begins when the reader pauses.
  private async compare(said: Next | Masked, turn: number): Promise<void> {
    const { document } = this.store.documents;
    const { earlier } = this;
    const entered = this.unknownBefore(said);
    if (entered.length === 0 && !activationsRounded(document)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const ask = async (other: Doc, also: readonly number[] = []): Promise<Next | Masked | undefined> => {
      if (turn !== this.turn || this.running) return undefined;
      const answer = await writing().beside(this.model, other, this.ids, this.sampling, also);
      return turn === this.turn && answer && !('error' in answer) ? answer : undefined;
    };
    const there = earlier && entered.length > 0 ? await ask(earlier.document, entered) : undefined;
    if (there && this.earlier === earlier) this.earlier = { ...earlier!, entered: there };
    const exact = activationsRounded(document) ? await ask(unrounded(document)) : undefined;
    if (exact) this.difference = differenceOf(said, exact);
  }

  // Words that are listed, without a number before the last change.
  private unknownBefore(said: Next | Masked): number[] {
    if (!this.earlier) return [];
    return [...new Set(listsIn(said).flatMap((list, nth) => {
      const { list: known, also } = this.wasAt(nth)!;
      return list.map(({ id }) => id).filter((id) => ![...known, ...also].some((one) => one.id === id));
    }))];
  }

  /** Writes the words that are chosen, one after the other, all in one step of undo. */
  private async write(count: number): Promise<void> {
    this.running = count > 1;
    this.writing = true;
    if (this.isAtStart) this.made = 0;
    const { source } = this;
    for (let k = 0; k < count && (k === 0 || this.running) && source === this.source; k++) {
      const { said } = this;
      if (!said || 'masked' in said || said.ended || said.full || said.id === undefined) break;
      this.made++;
      await this.put([...this.ids, said.id], `write ${this.model.writes.input}`);
      await this.foretell();
      // The pictures follow word by word.
      await this.store.sessions.compute();
    }
    this.running = this.writing = false;
    this.store.documents.endGesture();
    const { said } = this;
    if (count > 1 && said) void this.compare(said, this.turn);
  }

  private async put(ids: number[], gesture?: string): Promise<void> {
    const shown = this.model.tokenizer ? await writing().decode(this.model, ids)
      : { text: ids.join(' '), labels: ids.map((id) => `#${id}`) };
    if (!shown || this.failed(shown)) return;
    this.typing++;
    this.problem = undefined;
    this.told = JSON.stringify(ids);
    this.text = shown.text.replace(/^ /, '');
    this.store.documents.change((draft) => putPieces(draft, this.model, { ids, labels: shown.labels }), gesture);
  }
}
customElements.define('ap-pieces', PiecesElement);
