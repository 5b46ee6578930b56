// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, type PropertyValues } from 'lit';
import { Earlier } from '../card/earlier.ts';
import { sizeOfFile } from '../files/data.ts';
import { Part, reactive } from '../part.ts';
import { fixed, typedNumbers } from '../strings/numerals.ts';
import { quote, told } from '../strings/quote.ts';
import type { Model } from './model-metadata.ts';
import { UNASKED } from './limits.ts';
import { likelyWords, sameList, samplingFields, START } from './likely-words.ts';
import { endOf } from './import-errors.ts';
import type { Failed, Masked, Next, Pieces, Sampling } from './types.ts';
import { words } from './words.ts';
import { idsIn, putPieces } from './put-tokens.ts';
import { activationsRounded, type Difference, differenceOf, int8Activations, listsIn, roundActivations } from
  './rounded.ts';
import { writing } from './writing.ts';
import '../inputs/tokens.ts';

const LONGEST_TEXT = 20_000;
const MANY = 20;
/** Milliseconds without a new word. */
const PAUSE = 600;

/** The text of a model of another program: typed into its tokens, and the words that it writes next. */
export class PiecesElement extends Part {
  @reactive model!: Model;
  @reactive text: string | undefined;
  /** What comes after the text. */
  @reactive said: Next | Masked | undefined;
  @reactive problem: string | undefined;
  @reactive sampling: Sampling = { ...START };
  /** It writes word after word. */
  @reactive running = false;
  /** How far int8 activations move the words; undefined until that is known. */
  @reactive difference: Difference | undefined;
  /** What came after the same text before the last change of the model, if that was something else. */
  private earlier: Next | Masked | undefined;
  private readonly answers = new Earlier<Next | Masked>((one, other) => {
    const [lists, others] = [listsIn(one), listsIn(other)];
    return lists.length === others.length && lists.every((list, k) => sameList(list, others[k]!));
  });
  /** What the words are of: the document's text, its model and how they are drawn. */
  private of = '';
  private told = '';
  private turn = 0;
  private made = 0;
  /** So many texts were typed: an answer to an older one is dropped. */
  private typing = 0;
  /** Words are being chosen and put, one or more. */
  private writing = false;

  static override styles = css`
    :host { display: block; }
    textarea { display: block; width: 100%; max-width: 720px; resize: vertical; font-size: var(--text-read);
      line-height: var(--leading-read); }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center;
      margin: var(--space-3) 0; }
    ap-tokens { margin-top: var(--space-3); }
    .next { display: grid; grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content;
      gap: var(--space-1) var(--space-6); align-items: center; margin: var(--space-3) 0; }
    .next.changed { grid-template-columns: minmax(0, max-content) minmax(80px, 240px) max-content max-content; }
    .next > div { position: relative; }
    .next .was { position: absolute; top: calc(-1 * var(--space-1)); bottom: calc(-1 * var(--space-1));
      border-inline-start: 2px solid var(--ink); }
    .next .bar { height: var(--space-4); background: var(--weight); border-radius: var(--radius); min-width: 1px; }
    .next button { white-space: pre; overflow: hidden; text-overflow: ellipsis; text-align: start; }
    .sampling label { display: inline-flex; gap: var(--space-2); align-items: center; }
    .sampling input { width: 72px; }
  `;

  private get ids(): number[] {
    return idsIn(this.store.documents.document.inputs[this.model.writes.input]);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('model') && changed.get('model') !== undefined)
      this.text = this.said = this.problem = this.difference = undefined;
  }

  override updated(): void {
    const { ids } = this;
    const key = JSON.stringify(ids);
    if (this.told !== key) {
      this.told = key;
      void this.read(ids);
    }
    if (sizeOfFile(this.model.file) <= UNASKED) void this.foretell();
    // Of a large model words are computed when they are asked for; until then there are none of this text.
    else if (this.said && !this.writing && this.question !== this.of) this.said = this.difference = undefined;
  }

  /** What the words depend on. */
  private get question(): string {
    const { inputs: _, ...computes } = this.store.documents.document;
    return JSON.stringify([this.model.name, computes, this.ids, this.sampling]);
  }

  override render(): unknown {
    const { model, ids } = this;
    const rounded = activationsRounded(this.store.documents.document);
    const most = model.writes.length ?? 0;
    const label = model.tokenizer ? words().typeText : words().typeIds;
    return html`<textarea rows="2" dir="auto" maxlength=${LONGEST_TEXT} aria-label=${label} placeholder=${label}
        .value=${this.text ?? ''} ?disabled=${this.running}
        @input=${(e: Event) => void this.type((e.target as HTMLTextAreaElement).value)}
        @change=${() => this.store.documents.endGesture()}></textarea>
      <p class="note">${most > 0 ? words().count(ids.length, most) : words().countOnly(ids.length)}${
        model.writes.kind === 'masked' ? html`. ${words().mask}` : nothing}</p>
      ${this.problem === undefined ? nothing : html`<p class="error" role="alert">${told(this.problem)}</p>`}
      <ap-tokens .name=${model.writes.input}></ap-tokens>
      ${this.answered()}
      ${rounded || (model.hasInt8 && this.said) ? int8Activations(rounded, this.difference, (wanted) => {
        this.store.documents.change((draft) => roundActivations(draft, wanted));
        // The reader has asked, however large the model is.
        void this.foretell(true);
      }) : nothing}`;
  }

  private answered(): unknown {
    const { said } = this;
    const asking = html`<div class="row"><button class="button" data-part="ask"
      @click=${() => void this.foretell(true)}>${words().ask}</button></div>`;
    if (!said) return sizeOfFile(this.model.file) > UNASKED ? asking : nothing;
    if ('masked' in said) {
      return said.masked.map(({ row, words: list }, nth) => html`<h3>${words().nextFor(row)}</h3>${
        likelyWords(list, words().fill, (one) => void this.put(this.ids.map((id, k) => (k === row ? one.id : id))),
          this.earlier && listsIn(this.earlier)[nth])}`);
    }
    const end = said.full || said.ended;
    return html`<section data-part="next"><h3>${words().next}</h3>
      ${likelyWords(said.next, words().append, ({ id }) => void this.put([...this.ids, id]),
        this.earlier && listsIn(this.earlier)[0], said.full)}
      ${said.full ? html`<p class="note">${words().full(this.model.writes.length ?? 0)}</p>`
        : said.ended ? html`<p class="note">${words().ended}</p>` : nothing}
      <div class="row"><button class="button" data-part="write" ?disabled=${end || this.running}
        @click=${() => void this.write(1)}>${words().write}</button>
        ${this.running ? html`<button class="button" data-part="stop" @click=${() => (this.running = false)}>${
          words().stop}</button>` : html`<button class="button" data-part="write-many" ?disabled=${end}
          @click=${() => void this.write(MANY)}>${words().writeMany(MANY)}</button>`}</div>
      ${samplingFields(this.sampling, (sampling) => {
        this.sampling = sampling;
        void this.foretell(true);
      })}
      <p class="note" data-part="took" data-milliseconds=${said.milliseconds} data-rows=${said.rows}>${
        // Where nothing had to be computed again there is no time to tell of.
        [[...(said.rows > 0 ? [words().took(fixed(said.milliseconds, 1), said.rows)] : []),
          ...(said.state ? [words().keeps(fixed(said.state.bytes / 1000, 1))] : [])].join('; '),
          said.whole ? words().whole : ''].filter(Boolean).join('. ')}</p></section>`;
  }

  // The text of what the document holds, where it was not typed here.
  private async read(ids: number[]): Promise<void> {
    if (!this.model.tokenizer) return void (this.text = ids.join(' '));
    const typed = this.typing;
    const answer = await writing().decode(this.model, ids);
    if (typed !== this.typing || this.told !== JSON.stringify(ids)) return;
    if (this.failed(answer)) return;
    this.text = answer?.text.replace(/^ /, '');
  }

  private async type(text: string): Promise<void> {
    const typed = ++this.typing;
    this.text = text;
    const pieces = await this.piecesOf(text);
    if (typed !== this.typing || !pieces) return;
    const most = this.model.writes.length ?? 0;
    if (most > 0 && pieces.ids.length > most) return void (this.problem = words().tooLong(pieces.ids.length, most));
    if (pieces.ids.length === 0) return;
    this.problem = undefined;
    this.told = JSON.stringify(pieces.ids);
    this.made = 0;
    this.store.documents.change((draft) => putPieces(draft, this.model, pieces), `text ${this.model.writes.input}`);
  }

  private async piecesOf(text: string): Promise<Pieces | undefined> {
    if (this.model.tokenizer) {
      const answer = await writing().encode(this.model, text);
      return this.failed(answer) ? undefined : answer;
    }
    const ids = typedNumbers(text);
    const most = this.rows - 1;
    if (!ids.every((id) => Number.isInteger(id) && id >= 0 && id <= most)) {
      this.problem = words().badIds(most);
      return undefined;
    }
    return { ids, labels: ids.map((id) => `#${id}`) };
  }

  // How many tokens the model knows: what its prediction has as its last axis.
  private get rows(): number {
    const { predicts } = this.model.writes;
    const logits = this.store.sessions.result?.directory.tensors.find((one) => one.module === predicts);
    return logits?.shape.at(-1) ?? Infinity;
  }

  private failed<Said>(answer: Said | Failed | undefined): answer is Failed {
    if (typeof answer !== 'object' || answer === null || !('error' in answer)) return false;
    this.problem = endOf(answer.error) ?? quote(answer.error.message);
    return true;
  }

  /** Asks what comes next, unless it is known. */
  private async foretell(again = false): Promise<void> {
    const { document } = this.store.documents;
    const { ids, model, sampling } = this;
    const of = this.question;
    if (ids.length === 0 || (!again && of === this.of)) return;
    this.of = of;
    const turn = ++this.turn;
    const said = await writing().next(model, document, ids, sampling, this.made);
    if (turn !== this.turn || !said) return;
    if (this.failed(said)) return void (this.said = undefined);
    this.earlier = this.answers.of(JSON.stringify([this.store.documents.starts, model.writes, ids, sampling]),
      said, this.store.documents.held);
    if (this.said === undefined || JSON.stringify(said) !== JSON.stringify(this.said)) this.said = said;
    this.difference = undefined;
    if (activationsRounded(document)) void this.compare(said, turn);
  }

  // The words without int8 activations take a run of the whole text. It begins when the reader pauses.
  private async compare(said: Next | Masked, turn: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (turn !== this.turn || this.running) return;
    const { document } = this.store.documents;
    const unrounded = await writing().unrounded(this.model, document, this.ids, this.sampling);
    if (turn === this.turn && unrounded && !('error' in unrounded)) this.difference = differenceOf(said, unrounded);
  }

  /** Writes the words that are chosen, one after the other, all in one step of undo. */
  private async write(count: number): Promise<void> {
    this.running = count > 1;
    this.writing = true;
    for (let k = 0; k < count && (k === 0 || this.running); k++) {
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
    if (count > 1 && said && activationsRounded(this.store.documents.document)) void this.compare(said, this.turn);
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
