// SPDX-License-Identifier: Apache-2.0
// The next words of both sides of a model that is compared with a variant of itself, beside each other.
import { css, html, nothing } from 'lit';
import { probable } from '../colour/numbers.ts';
import type { Doc } from '../engine/types.ts';
import { distance, START } from '../models/likely-words.ts';
import type { Model } from '../models/model-metadata.ts';
import { idsIn } from '../models/put-tokens.ts';
import { alsoIn, listsIn } from '../models/rounded.ts';
import type { Likely } from '../models/types.ts';
import { writing } from '../models/writing.ts';
import { Part, reactive } from '../part.ts';
import { shownWord, withSpaces } from '../strings/displayed-word.ts';
import { strings } from '../strings/en.ts';
import { digits } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { words } from './words.ts';

const LISTED = 12;
// Milliseconds without a change: each question runs the whole text once.
const PAUSE = 300;

interface Both {
  a: readonly Likely[];
  b: readonly Likely[];
}

/** The words that either side lists, the likeliest on any side first, with both probabilities. */
export function listed({ a, b }: Both): { token: string; id: number; a: number | undefined; b: number | undefined }[] {
  const of = (list: readonly Likely[], id: number) => list.find((one) => one.id === id)?.probability;
  const all = new Map([...a, ...b].map(({ id, token }) => [id, token]));
  return [...all].map(([id, token]) => ({ token, id, a: of(a, id), b: of(b, id) }))
    .toSorted((one, other) => Math.max(other.a ?? 0, other.b ?? 0) - Math.max(one.a ?? 0, one.b ?? 0)).slice(0, LISTED);
}

export class CompareWordsElement extends Part {
  @reactive model!: Model;
  @reactive both: Both | undefined;
  @reactive problem: string | undefined;
  /** The words of the two documents of now are not there yet; those that are shown are of earlier ones. */
  @reactive pending = false;
  private of = '';
  private turn = 0;

  static override styles = css`
    :host { display: block; max-width: 720px; }
    h2 { margin: var(--space-8) 0 var(--space-3); }
    .over { overflow-x: auto; }
    [aria-busy='true'] { color: var(--ink2); }
    [aria-busy='true'] .bar { opacity: 0.4; }
    table { border-collapse: collapse; }
    th, td { padding: var(--space-1) var(--space-6) var(--space-1) 0; font-weight: 400; text-align: end; }
    th:first-child { text-align: start; white-space: pre; }
    thead th { color: var(--ink2); font-size: var(--text-note); }
    .bars { width: 120px; direction: ltr; padding-inline-end: var(--space-6); }
    .bar { height: var(--space-3); background: var(--weight); min-width: 1px; }
    .bar.B { background: none; border: 1.5px solid var(--weight); margin-top: 1px; }
  `;

  override updated(): void {
    const { comparison } = this.store;
    const [a, b] = [comparison.documentOf('A'), comparison.documentOf('B')];
    const of = JSON.stringify([a, b]);
    if (of === this.of) return;
    this.of = of;
    this.pending = true;
    void this.ask(a, b, ++this.turn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.turn++;
    this.of = '';
  }

  private async ask(a: Doc, b: Doc, turn: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const ids = idsIn(a.inputs[this.model.writes.input]);
    let problem: string | undefined;
    const lists = async (document: Doc, also: readonly number[]): Promise<readonly Likely[] | undefined> => {
      if (turn !== this.turn) return undefined;
      const said = await writing().beside(this.model, document, ids, START, also);
      if (turn !== this.turn || !said) return undefined;
      problem = 'error' in said ? said.error.message : undefined;
      if ('error' in said) return undefined;
      // Of several masks the first one.
      return [...listsIn(said)[0] ?? [], ...alsoIn(said)[0] ?? []];
    };
    const before = await lists(a, []);
    const after = before && await lists(b, before.map(({ id }) => id));
    const unknown = (after ?? []).filter(({ id }) => !before!.some((one) => one.id === id)).map(({ id }) => id);
    const whole = after && unknown.length > 0 ? await lists(a, unknown) : before;
    if (turn !== this.turn) return;
    // Where there is no answer, the probabilities of earlier documents are none of these two.
    this.both = after && whole ? { a: whole, b: after } : undefined;
    [this.problem, this.pending] = [problem, false];
  }

  // The status is one line that stays, so that who hears the page hears each change of it.
  override render(): unknown {
    const { both, pending, problem } = this;
    return html`<h2>${words().nextWords}</h2><p class=${problem === undefined || pending ? 'note' : 'error'}
      role="status" data-part="words-now">${pending ? words().computing : problem === undefined ? nothing
      : withQuotes(quote(problem))}</p>
      ${both ? html`<div aria-busy=${String(pending)}>${this.table(both)}</div>` : nothing}`;
  }

  private table(both: Both): unknown {
    const cell = (value: number | undefined) => html`<td>${value === undefined ? '–' : probable(value)}</td>`;
    const bar = (value: number | undefined, side: string) => html`<div class="bar ${side}" ${
      place({ width: `${100 * (value ?? 0)}%` })}></div>`;
    return html`<div class="over" tabindex="0" role="group" aria-label=${words().nextWords}><table
      data-part="next-words"><thead><tr><th scope="col">${words().token}</th><th scope="col">A</th>
      <th scope="col">B</th><td></td><th scope="col">${strings.difference}</th></tr></thead>
      <tbody>${listed(both).map(({ token, a, b }) => html`<tr><th scope="row"><bdi>${
        shownWord(withSpaces(token))}</bdi></th>
        ${cell(a)}${cell(b)}<td class="bars" aria-hidden="true">${bar(a, 'A')}${bar(b, 'B')}</td>
        <td>${a === undefined || b === undefined ? nothing
          : html`<bdi>${b > a ? '+' : ''}${digits(b - a, 2)}</bdi>`}</td></tr>`)}</tbody></table></div>
      <p class="note" data-part="moved">${words().moved(probable(distance(both.b, both.a)))}</p>`;
  }
}
customElements.define('ap-compare-words', CompareWordsElement);
