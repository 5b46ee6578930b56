// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { above } from '../avoid-covering.ts';
import { HEAD } from '../directory/places.ts';
import type { Result } from '../engine/result.ts';
import { goTo } from '../flow/go-to.ts';
import { maximum } from '../lists.ts';
import { Part, reactive } from '../part.ts';
import { shownWord, withSpaces } from '../strings/displayed-word.ts';
import { fixed } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { leavesOut, type LogitPart, type LogitParts, logitParts } from './logit-parts.ts';
import type { Model } from './model-metadata.ts';
import type { Likely } from './types.ts';
import { words } from './logit-words.ts';

const LARGEST = 10;

/** Bars for the parts of the model, each as long as what it adds to the logit of a next word. */
export class LogitElement extends Part {
  @reactive model!: Model;
  /** The next words, the likeliest first. */
  @reactive list: readonly Likely[] = [];
  /** The row of the text after which they come. */
  @reactive row = 0;
  /** The word, and the one that it is compared with, by their tokens. */
  @reactive word: number | undefined;
  @reactive other: number | undefined;
  @reactive whole = false;
  @reactive found: LogitParts | 'none' | 'left' | undefined;
  // What `found` is of.
  private of: { result: Result; asked: string } | undefined;
  private words = '';

  static override styles = css`
    :host { display: block; max-width: 720px; }
    p { max-width: 76ch; margin: var(--space-3) 0; }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; margin: var(--space-3) 0; }
    .row label { display: inline-flex; gap: var(--space-3); align-items: center; }
    .row select { max-width: 180px; }
    ol { list-style: none; margin: var(--space-3) 0; padding: 0; display: grid; gap: var(--space-1) var(--space-6);
      grid-template-columns: minmax(0, max-content) minmax(80px, 1fr) max-content; }
    li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center;
      min-height: var(--press); }
    li > :last-child { text-align: end; }
    .bars { position: relative; direction: ltr; height: var(--space-4);
      background: linear-gradient(var(--line2), var(--line2)) center / 1px 100% no-repeat; }
    .bar { position: absolute; top: 0; bottom: 0; min-width: 1px; background: var(--weight);
      border-radius: var(--radius); }
    .bar.less { background: none; border: 1px solid var(--ink2); }
  `;

  // A word that is listed no more gives way to the likeliest.
  private get asked(): readonly [number, number | undefined] {
    const known = (id: number | undefined) => this.list.find((one) => one.id === id)?.id;
    const word = known(this.word) ?? this.list[0]!.id;
    const other = known(this.other);
    return [word, other === word ? undefined : other];
  }

  // The parts of other words would be shown as theirs until the new ones are here.
  override willUpdate(): void {
    const words = this.list.length === 0 ? '' : JSON.stringify(this.asked);
    if (words !== this.words) this.found = this.of = undefined;
    this.words = words;
  }

  override updated(): void {
    const { result } = this.store.sessions;
    if (!result || this.store.sessions.busy || this.list.length === 0) return;
    const asked = JSON.stringify([this.asked, this.row]);
    if (this.of?.result === result && this.of.asked === asked) return;
    const of = this.of = { result, asked };
    const { model: { file, writes: { predicts } }, row } = this;
    void logitParts(result, predicts, row, this.asked, file).catch(() => undefined)
      .then((found) => {
        if (this.of === of) this.found = found ?? (leavesOut(result, predicts) ? 'left' : 'none');
      });
  }

  override render(): unknown {
    const { found, list } = this;
    if (list.length === 0) return nothing;
    const [word, other] = this.asked;
    return html`<p class="note">${words().what}</p>
      <div class="row">${this.menu('word', words().of, word, (id) => (this.word = id))}
        ${this.menu('other', words().minus, other, (id) => this.compare(word, id), word)}</div>
      <p class="note">${words().whyMinus}</p>
      <div role="status">${found === undefined ? html`<p class="note">${words().computing}</p>`
        : typeof found === 'string' ? html`<p class="note" data-part="no-parts">${words()[found]}</p>`
        : this.sum(found)}</div>${typeof found === 'object' ? this.bars(found) : nothing}`;
  }

  // The likeliest word may be another one after the next change, and the two that are compared stay.
  private compare(word: number, other: number | undefined): void {
    [this.word, this.other] = [word, other];
  }

  private menu(part: string, label: string, now: number | undefined, put: (id: number | undefined) => void,
    without?: number): unknown {
    const entries = this.list.filter(({ id }) => id !== without);
    return html`<label>${label} <select dir="auto" data-part=${part}
      @change=${({ target }: Event) => put(Number((target as HTMLSelectElement).value || Number.NaN))}>${
        without === undefined ? nothing : html`<option value="" .selected=${live(now === undefined)}>${
          words().nothing}</option>`}${entries.map(({ id, token }) => html`<option value=${id}
          .selected=${live(id === now)}>${words().quoted(shownWord(withSpaces(token)))}</option>`)}</select></label>`;
  }

  private sum({ parts, logit }: LogitParts): unknown {
    const sum = parts.reduce((all, { value }) => all + value, 0);
    const isDifference = this.asked[1] !== undefined;
    return html`<p data-part="sum" data-sum=${sum} data-logit=${logit}>${words().sum(parts.length, fixed(sum, 2))} ${
      isDifference ? words().difference(fixed(logit, 2)) : words().logit(fixed(logit, 2))}</p>`;
  }

  private bars({ parts }: LogitParts): unknown {
    const sorted = parts.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = this.whole ? parts : sorted.slice(0, LARGEST);
    const most = maximum(parts.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
    const isCut = parts.length > LARGEST && !this.whole;
    return html`${isCut ? html`<p class="note">${words().largest(LARGEST)}</p>` : nothing}
      <ol>${shown.map((part) => this.bar(part, most))}</ol>
      ${parts.length > LARGEST ? html`<button class="link" data-part="all-parts"
        @click=${() => (this.whole = !this.whole)}>${this.whole ? words().fewer : words().all(parts.length)}</button>`
        : nothing}`;
  }

  private bar(part: LogitPart, most: number): unknown {
    const { kind, value, layer, head, module } = part;
    const half = 50 * Math.abs(value) / most;
    const name = kind === 'head' ? words().head(layer!, head! + 1) : kind === 'embedding' || kind === 'biases'
      ? words()[kind] : words()[kind](layer!);
    return html`<li data-kind=${kind} data-value=${value}>${head === undefined ? html`<span>${name}</span>`
      : html`<button class="link" title=${words().toHead(name)} @click=${() => this.open(module!, head)}>${
        name}</button>`}<div class="bars" aria-hidden="true"><div class="bar ${value < 0 ? 'less' : ''}" ${
        place({ left: `${value < 0 ? 50 - half : 50}%`, width: `${half}%` })}></div></div>
      <span dir="ltr">${value > 0 ? '+' : ''}${fixed(value, 2)}</span></li>`;
  }

  private open(module: string, head: number): void {
    const { store } = this;
    store.view.show({ view: 'matrix', large: undefined, module });
    store.selection.choose(HEAD, head);
    void toMap(this, `${module}.weights`);
  }
}
// Shows the map, which a menu over the whole of a small page would hide.
async function toMap(from: Element, map: string): Promise<void> {
  let page: Element | undefined = from;
  while (page && page.localName !== 'attention-playground') page = above(page);
  const shell = page as (Part & { open: boolean }) | undefined;
  if (!shell) return;
  shell.open = false;
  await shell.updateComplete;
  // The module is drawn large first.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const flow = shell.renderRoot.querySelector<Part>('ap-flow');
  await flow?.updateComplete;
  if (flow) void goTo(flow.renderRoot, map);
}
customElements.define('ap-logit-parts', LogitElement);
