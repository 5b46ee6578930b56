// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { moved } from '../heads/keys.ts';
import { measured } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import './card.ts';
import { type Cell, Desk, type Side, SIDES } from './encoder-state.ts';
import { encoderStyles } from './encoder.styles.ts';
import { loading } from './loading.ts';
import './maps.ts';
import { loadModel, modelStage } from './model.ts';
import { isEncoder, modelIsHere } from '../engine/encoder.ts';
import { examples, own } from './pairs.ts';
import { sentence } from './sentence.ts';
import { words } from './words.ts';

const NARROW = 620;
// Two columns may need a scroll bar that leaves too little room for them: one column stays until both fit.
const BAR = 24;

/** The encoder's picture: two sentences, maps of all heads, one head enlarged in both, what works and what fails. */
export class EncoderElement extends Part {
  @reactive width = 0;
  @reactive comparing = false;
  /** The card has no place of its own beside the picture. */
  @property({ type: Boolean }) card = false;
  /** There is room for one sentence at a time. */
  private narrow = false;
  private ignore: (() => void) | undefined;
  /** What stands below the maps has its place: there are maps, or there will be none. */
  private settled = false;

  static override styles = encoderStyles;

  constructor() {
    super();
    measured(this, (width) => {
      this.narrow = width > 0 && width < (this.narrow ? NARROW + BAR : NARROW);
      this.width = Math.floor(width);
    });
    this.addEventListener('keydown', this.key);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Once the model is here, the document that waited for it is computed.
    this.ignore = effect(() => {
      if (modelIsHere.value && this.isConnected && this.hasUpdated) queueMicrotask(() => this.begin());
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ignore?.();
  }

  private get desk(): Desk {
    return Desk.of(this.store);
  }

  override willUpdate(): void {
    this.toggleAttribute('narrow', this.narrow);
  }

  override firstUpdated(): void {
    if (modelIsHere.peek()) this.begin();
    // Whoever opened a link to the encoder asked for it.
    else if (isEncoder(this.store.documents.document)) void loadModel();
  }

  private begin(): void {
    const { documents, sessions } = this.store;
    if (!isEncoder(documents.document)) this.desk.open();
    else if (!sessions.result || !isEncoder(sessions.result.directory.document)) void sessions.compute();
  }

  override render(): unknown {
    if (this.width === 0) return nothing;
    const { desk, narrow } = this;
    const here = modelStage().is === 'here';
    const side = desk.side.value;
    const shown: readonly Side[] = narrow ? [side] : SIDES;
    const room = narrow ? this.width : Math.floor((this.width - 20) / 2);
    const unit = Math.max(44, Math.min(72, Math.floor((room - (narrow ? 40 : 104)) / 4)));
    const [layer, head] = desk.head;
    this.settled ||= here && (SIDES.some((k) => desk.plane(k, layer, head)) || SIDES.every((k) => desk.isEmpty(k))
      || this.store.sessions.error !== undefined);
    return html`<h2 data-part="found" aria-live="off">${this.heading()}</h2>
      <div class="state"><p class="note">${here ? words().help : words().layout}</p>${loading()}</div>
      ${narrow ? html`<div class="seg" role="group" aria-label=${words().one}>${SIDES.map((k) => html`<button
        aria-pressed=${side === k} @click=${() => (desk.side.value = k)}>${
          desk.text(k) || words().sentence(k + 1)}</button>`)}
        </div>` : nothing}
      <div class="two sides">${shown.map((k) => sentence(desk, k, room, unit))}</div>
      ${here && this.settled ? html`<div class="below"><b>${words().weights(layer + 1, head + 1)}</b>
        <button class="link" data-part="how" @click=${() => desk.explain()}>${
          words().how}</button></div>
      ${this.card ? html`<ap-encoder-card></ap-encoder-card>` : nothing}
      ${examples(desk)}
      <details ?open=${this.comparing} @toggle=${(e: Event) =>
        (this.comparing = (e.target as HTMLDetailsElement).open)}><summary><b>${words().own}</b></summary>${
        this.comparing ? own(desk) : nothing}</details>` : nothing}`;
  }

  // The finding with its number: what the locked word gives in both sentences, where it is in both.
  private heading(): string {
    const { desk } = this;
    const cell = desk.locked.value;
    const [layer, head] = desk.head;
    const mine = cell && this.gives(cell.side, cell.row, cell.col);
    if (!cell || mine === undefined) return desk.sharesWord() ? words().one : words().noneShared;
    const query = desk.pieces(cell.side)[cell.row] ?? '';
    const other: Side = cell.side === 0 ? 1 : 0;
    const row = desk.pieces(other).indexOf(query);
    const shown = row < 0 || desk.isEmpty(other) ? undefined : desk.plane(other, layer, head);
    let best: Cell | undefined;
    for (let col = 0; shown && col < shown.cols; col++)
      if (col !== row && (!best || shown.at(row, col) > shown.at(row, best.col))) best = { side: other, row, col };
    const theirs = best && this.gives(other, best.row, best.col);
    if (theirs === undefined) return words().findsOne(layer + 1, head + 1, query, mine);
    const [first, second] = cell.side === 0 ? [mine, theirs] : [theirs, mine];
    return words().finds(layer + 1, head + 1, query, first, second);
  }

  private gives(side: Side, row: number, col: number): string | undefined {
    const [layer, head] = this.desk.head;
    const shown = this.desk.isEmpty(side) ? undefined : this.desk.plane(side, layer, head);
    const key = this.desk.pieces(side)[col];
    return shown && row < shown.rows && col < shown.cols && key !== undefined
      ? words().gives(inCell(shown.at(row, col), true), key) : undefined;
  }

  private readonly key = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const { desk } = this;
    if (event.key === '[' || event.key === ']') {
      desk.side.value = event.key === '[' ? 0 : 1;
      event.preventDefault();
      void this.updateComplete.then(() => this.stop()?.focus());
      return;
    }
    const at = (target as HTMLElement).closest?.<HTMLElement>('.head');
    if (!at || !this.renderRoot.contains(at)) return;
    const rows = desk.layers().map(({ heads }) => heads);
    const [layer, head] = desk.head;
    const now = rows.slice(0, layer).reduce((sum, count) => sum + count, 0) + head;
    const to = moved(rows, now, event.key);
    if (event.key === 'Enter') {
      event.preventDefault();
      this.stop(Number(at.closest<HTMLElement>('.sentence')?.dataset['side']) as Side)?.focus();
    } else if (to !== undefined) {
      event.preventDefault();
      let [l, h] = [0, to];
      while (h >= rows[l]!) h -= rows[l++]!;
      desk.choose(l, h);
      const side = at.closest('.sentence');
      void this.updateComplete.then(() =>
        side?.querySelector<HTMLElement>(`.head[data-head="${l + 1}.${h + 1}"]`)?.focus());
    }
  };

  // The large map's tab stop.
  private stop(side: Side = this.desk.side.peek()): HTMLElement | null | undefined {
    return [...this.renderRoot.querySelectorAll<HTMLElement & { side: Side }>('ap-large-head')]
      .find((map) => map.side === side);
  }
}
customElements.define('ap-encoder', EncoderElement);
