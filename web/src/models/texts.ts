// SPDX-License-Identifier: Apache-2.0
import { css, type CSSResultGroup, html, nothing, type PropertyValues } from 'lit';
import { Part, reactive } from '../part.ts';
import { typedNumbers } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { keptBytes } from './kept-bytes.ts';
import type { Model } from './model-metadata.ts';
import { between, idsIn, putPieces } from './put-tokens.ts';
import { endOf } from './import-errors.ts';
import type { Failed, Pieces } from './types.ts';
import { words } from './words.ts';
import { writing } from './writing.ts';
import '../inputs/tokens.ts';

const LONGEST_TEXT = 20_000;

/** The tokens with which a decoder begins its text. */
export async function startsAgain(model: Model): Promise<Pieces | Failed | undefined> {
  const ids = model.writes.start ?? [];
  if (!model.tokenizer) return { ids, labels: ids.map((id) => `#${id}`) };
  const shown = await writing().decode(model, ids);
  return shown && ('error' in shown ? shown : { ids, labels: shown.labels });
}

/**
 * What a decoder reads of a text that somebody types for it: the tokens with which it begins, then those of the text
 * without the ones that its tokenizer puts around every text, such as an end.
 */
export async function afterStart(model: Model, split: Pieces): Promise<Pieces | Failed | undefined> {
  const [start, around] = await Promise.all([startsAgain(model), model.tokenizer ? writing().encode(model, '')
    : { ids: model.writes.start ?? [] }]);
  if (!start || !around || 'error' in start || 'error' in around) return start && 'error' in start ? start
    : around as Failed | undefined;
  const { ids, labels } = between(split, around.ids);
  return { ids: [...start.ids, ...ids], labels: [...start.labels, ...labels] };
}

/** A text of a model of another program in one of its inputs: typed, and split into its tokens. */
export abstract class TextElement extends Part {
  @reactive model!: Model;
  @reactive text: string | undefined;
  @reactive problem: string | undefined;
  /** The tokens whose text is shown. */
  protected told = '';
  /** So many texts were typed: an answer to an older one is dropped. */
  protected typing = 0;

  static override styles: CSSResultGroup = css`
    :host { display: block; }
    textarea { display: block; width: 100%; max-width: 720px; resize: vertical; font-size: var(--text-read);
      line-height: var(--leading-read); }
    ap-tokens { display: block; min-height: calc(var(--control) + var(--space-2)); margin-top: var(--space-3); }
  `;

  /** The input that holds the text. */
  protected abstract get input(): string;
  /** The most tokens that the model reads there; 0: as many as there are. */
  protected abstract get most(): number;

  protected get ids(): number[] {
    return idsIn(this.store.documents.document.inputs[this.input]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.store.held.add(writing().follow(this.store.documents));
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('model') && changed.get('model') !== undefined) this.text = this.problem = undefined;
  }

  override updated(): void {
    const { ids } = this;
    const key = JSON.stringify(ids);
    if (this.told === key) return;
    this.told = key;
    void this.read(ids);
  }

  protected box(says: string, disabled = false): unknown {
    const label = this.model.tokenizer ? says : words().typeIds;
    return html`<textarea rows="2" dir="auto" maxlength=${LONGEST_TEXT} aria-label=${label} placeholder=${label}
        .value=${this.text ?? ''} ?disabled=${disabled}
        @input=${(e: Event) => void this.type((e.target as HTMLTextAreaElement).value)}
        @change=${() => this.store.documents.endGesture()}></textarea>`;
  }

  protected count(): string {
    const { ids, most } = this;
    return most > 0 ? words().count(ids.length, most) : words().countOnly(ids.length);
  }

  protected wrong(): unknown {
    return this.problem === undefined ? nothing : html`<p class="error" role="alert">${withQuotes(this.problem)}</p>`;
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
    const kept = await this.kept(text);
    if (typed !== this.typing || this.failed(kept)) return;
    if (kept === 'broken') return void (this.problem = words().broken);
    const split = kept === 'split' ? await this.piecesOf(text) : undefined;
    const pieces = kept === 'split' ? split && await this.placed(split) : kept;
    if (typed !== this.typing || !pieces || this.failed(pieces)) return;
    const { most } = this;
    if (most > 0 && pieces.ids.length > most) return void (this.problem = words().tooLong(pieces.ids.length, most));
    if (pieces.ids.length === 0) return;
    this.problem = undefined;
    this.told = JSON.stringify(pieces.ids);
    const begins = this.input === this.model.writes.source ? await startsAgain(this.model) : undefined;
    if (typed !== this.typing || this.failed(begins)) return;
    this.typed();
    this.store.documents.change((draft) => {
      putPieces(draft, this.model, pieces, this.input);
      if (begins) putPieces(draft, this.model, begins);
    }, `text ${this.input}`);
  }

  // Tokens of bytes that form no character stay as they are; a mask has its tokens at both ends of the text.
  private async kept(text: string): ReturnType<typeof keptBytes> {
    const { ids, model } = this;
    return model.tokenizer && model.writes.kind !== 'masked' ? keptBytes(ids, text, {
      encode: (part) => writing().encode(model, part), decode: (part) => writing().decode(model, part) }) : 'split';
  }

  /** The tokens of a text as the input holds them. */
  protected placed(split: Pieces): Promise<Pieces | Failed | undefined> | Pieces {
    return split;
  }

  /** A text of the reader's is about to be put. */
  protected typed(): void {}

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

  // How many tokens the model knows there: the rows of the table that reads the input, or what its prediction has as
  // its last axis.
  protected get rows(): number {
    const { result } = this.store.sessions;
    const { predicts } = this.model.writes;
    const table = result?.find(`${this.input}-tokens.E`, 'parameters');
    const logits = result?.directory.tensors.find((one) => one.module === predicts);
    return table?.shape[0] ?? logits?.shape.at(-1) ?? Infinity;
  }

  protected failed<Said>(answer: Said | Failed | undefined): answer is Failed {
    if (typeof answer !== 'object' || answer === null || !('error' in answer)) return false;
    this.problem = endOf(answer.error) ?? quote(answer.error.message);
    return true;
  }
}

/** What the encoder of a model with two texts reads. A new source begins a new target. */
export class SourceElement extends TextElement {
  protected get input(): string {
    return this.model.writes.source!;
  }

  protected get most(): number {
    return this.model.writes.source_length ?? 0;
  }

  override render(): unknown {
    return html`${this.box(words().typeSource)}<p class="note">${this.count()}. ${words().sourceNote}</p>
      ${this.wrong()}<ap-tokens .name=${this.input}></ap-tokens>`;
  }
}
customElements.define('ap-source', SourceElement);
