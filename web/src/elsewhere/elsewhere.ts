// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { full, inCell } from '../colour/numbers.ts';
import { naming } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import { unknownSentence } from '../inputs/known-words.ts';
import { spelled, vocabularyOf } from '../state/vocabulary.ts';
import { maximum } from '../lists.ts';
import { Part, reactive } from '../part.ts';
import { reasonOf } from '../state/choice-rescue.ts';
import type { Store } from '../state/store.ts';
import { tokenise } from '../state/tokens.ts';
import { givenNumbers } from '../state/seeded.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { shownPiece, textOf } from '../strings/displayed-word.ts';
import { place } from '../styles/place.ts';
import { cosine, inputOf, outcomeOf, ranked, type Row, rowOf, tokenOf, writtenTo } from './rows.ts';
import { computed, withSentence } from './sentence.ts';
import { words } from './words.ts';

// Of a row so many keys are listed.
const MOST = 6;
const LONGEST_TEXT = 2000;
// Of the document's own sentence so many tokens are an example of what can be typed.
const EXAMPLE = 12;
/** Milliseconds without a new letter. */
const PAUSE = 250;

interface Answer {
  result?: Result;
  problem?: string;
}

// The other sentence stays while the reader goes from cell to cell, but not with another document.
const typed = new WeakMap<Store, { text: string; starts: number }>();

/** The token of a locked row in a sentence of the reader's: both rows side by side, and what differs. */
export class ElsewhereElement extends Part {
  @reactive answer: Answer | undefined;
  private asked = '';

  static override styles = css`
    :host { display: block; }
    h3 { font-weight: 400; color: var(--ink2); margin-bottom: var(--space-3); }
    h4 { font-weight: 600; margin: var(--space-4) 0 var(--space-1); }
    textarea { display: block; width: 100%; resize: vertical; }
    ol { display: grid; grid-template-columns: minmax(40px, max-content) minmax(40px, 1fr) max-content;
      gap: var(--space-1) var(--space-4); align-items: center; }
    li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: center; }
    li > span { overflow-wrap: anywhere; }
    i { display: block; height: var(--space-4); min-width: 1px; background: var(--weight);
      border-radius: var(--radius); }
    p { margin: var(--space-3) 0 0; }
    p:empty { margin: 0; }
  `;

  private get text(): string {
    const kept = typed.get(this.store);
    return kept?.starts === this.store.documents.starts ? kept.text : '';
  }

  // The locked cell, its token and the input that has another sentence; undefined where there is no such thing.
  private get about(): { target: Target; tensor: Tensor; token: string; input: string; outcome: Tensor | undefined }
    | undefined {
    const { selection: { lock: target }, sessions: { result }, documents: { document } } = this.store;
    const tensor = target?.group === 'outputs' ? result?.whole(target.tensor, 'outputs') : undefined;
    const token = tensor && tokenOf(result!, target!);
    const input = tensor && inputOf(document, tensor);
    if (!tensor || token === undefined || input === undefined) return undefined;
    // Names of rows of numbers are no words that another sentence could have.
    if (givenNumbers(document.inputs[input])) return undefined;
    return { target: target!, tensor, token, input, outcome: outcomeOf(result!, tensor) };
  }

  override updated(): void {
    const { about, text } = this;
    const key = !about || text.trim() === '' ? '' : JSON.stringify([about.tensor.name, about.input, text,
      this.store.documents.document]);
    if (key === this.asked) return;
    this.asked = key;
    if (key === '') this.answer = undefined;
    else void this.ask(key);
  }

  private async ask(key: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const { about } = this;
    if (key !== this.asked || !about) return;
    const document = await withSentence(this.store, about.input, this.text);
    if (key !== this.asked || !document) return;
    const found = await computed(this.store.client, document,
      [about.tensor.name, ...(about.outcome ? [about.outcome.name] : [])]);
    if (key !== this.asked || !found) return;
    this.answer = found.result ? { result: found.result } : { problem: reasonOf(found.error?.message ?? '') };
  }

  override render(): unknown {
    const { about, answer } = this;
    if (!about) return nothing;
    const says = shownPiece(about.token);
    const type = this.asks(about);
    return html`<h3>${words().title(says)}</h3>
      <textarea rows="2" dir="auto" maxlength=${LONGEST_TEXT} aria-label=${type}
        placeholder=${type} .value=${this.text} @input=${(e: Event) => {
          typed.set(this.store, { text: (e.target as HTMLTextAreaElement).value,
            starts: this.store.documents.starts });
          this.requestUpdate();
        }}></textarea>
      <p class="note">${words().about}</p>${this.unknown(about)}
      <div role="status">${answer?.problem !== undefined ? html`<p class="error">${
        withQuotes(words().failed(quote(answer.problem)))}</p>`
        : answer?.result ? this.both(about, answer.result) : nothing}</div>`;
  }

  // A translator reads another language than that of the token, which it may write again.
  private asks({ tensor, token, input }: NonNullable<typeof this.about>): string {
    const { documents: { document } } = this.store;
    const own: unknown = document.inputs[input]?.['tokens'] ?? document.inputs[input]?.['labels'];
    return writtenTo(document, tensor) !== undefined && Array.isArray(own)
      ? words().typeRead(shownPiece(token), textOf(own.slice(0, EXAMPLE).map(String)))
      : words().type(shownPiece(token));
  }

  private unknown({ input }: NonNullable<typeof this.about>): unknown {
    const { book, documents: { document } } = this.store;
    const vocabulary = vocabularyOf(book, document, input);
    // Screen readers announce only what changes in a status that is there already.
    return html`<p class="error" role="status" data-part="unknown-words">${(vocabulary
      && unknownSentence(spelled(tokenise(this.text), vocabulary), vocabulary)) ?? nothing}</p>`;
  }

  private both({ target, tensor, token, outcome }: NonNullable<typeof this.about>, other: Result): unknown {
    const { result } = this.store.sessions;
    const here = result && rowOf(result, target, token, true);
    const there = rowOf(other, target, token);
    if (!here) return nothing;
    if (!there) {
      const axis = other.whole(tensor.name, 'outputs')?.places.at(-2) ?? '';
      return html`<p class="note" data-part="absent">${words().absent(shownPiece(token),
        [...new Set(other.labels(axis) ?? [])].map(shownPiece))}</p>`;
    }
    const compared = here.keys ? outcome : tensor;
    const at = target.index.at(-2)!;
    const rows = compared && (here.keys
      ? [rowOf(result, { group: 'outputs', tensor: compared.name, index: [at, 0] }, token, true),
        rowOf(other, { group: 'outputs', tensor: compared.name, index: [0, 0] }, token)] : [here, there]);
    const alike = rows?.[0] && rows[1] ? cosine(rows[0].values, rows[1].values) : undefined;
    // One scale for both, so that bars of the same length are the same weight.
    const most = maximum([...here.values, ...there.values], 1e-9);
    return html`${here.keys ? html`${this.row('here', words().here, here, most)}${
      this.row('there', words().there, there, most)}
      <p data-part="differs">${differs(here, there)}</p>` : nothing}
      ${alike === undefined ? nothing : html`<p data-part="cosine" data-value=${alike}>${
        words().cosine(naming(compared!).title || compared!.name, full(alike))}</p>`}
      ${there.times > 1 ? html`<p class="note">${words().first(there.times)}</p>` : nothing}`;
  }

  private row(which: string, title: string, row: Row, most: number): unknown {
    const order = ranked(row);
    return html`<h4>${title}</h4><ol data-row=${which}>${order.slice(0, MOST).map((k) => html`<li><span
      dir="auto">${shownPiece(row.keys![k] ?? String(k + 1))}</span><i ${place({
      width: `${Math.max(0, 100 * row.values[k]! / most)}%` })}></i><b dir="ltr">${
      inCell(row.values[k]!, true)}</b></li>`)}</ol>${order.length > MOST
      ? html`<p class="note">${words().more(order.length - MOST)}</p>` : nothing}`;
  }
}

// What gets most in each of the two rows.
function differs(here: Row, there: Row): string {
  const [one, other] = [here, there].map((row) => {
    const k = ranked(row)[0]!;
    return { key: shownPiece(row.keys?.[k] ?? String(k + 1)), weight: inCell(row.values[k]!, true) };
  }) as [{ key: string; weight: string }, { key: string; weight: string }];
  return one.key === other.key ? words().attendsSame(one.key, one.weight, other.weight)
    : words().attends(one.key, one.weight, other.key, other.weight);
}

customElements.define('ap-elsewhere', ElsewhereElement);
