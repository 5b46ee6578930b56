// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { computed, effect } from '@preact/signals-core';
import { html, noChange, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { unnumbered, valuesBehind } from '../directory/formulas.ts';
import { naming, type Naming } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Explanation, Feed, Target } from '../engine/types.ts';
import { Later } from '../lazy-fetch.ts';
import { Part } from '../part.ts';
import { type Explained, sameCell } from '../state/explanations.ts';
import { QUICK } from '../state/patience.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { inFormula } from '../strings/numerals.ts';
import type { Pointing } from './bars.ts';
import { breakable } from './breakable.ts';
import { feedRow } from './feed.ts';
import { fraction } from './fraction.ts';
import { linked, type Linked, numberUnder } from './numbers.ts';
import { shortened, type Shortened } from './shorten.ts';

export { was } from './earlier.ts';

const drawings = new Later(() => import('./pictures.ts'));
// Only somebody who keeps a cell asks for its token in another sentence.
const elsewhere = new Later(() => import('../elsewhere/elsewhere.ts'), false);

/**
 * What the engine told of the cell that the card is about: the formula with its numbers, pictures of its row, what it
 * was computed from and what it goes into. While the answer about another cell is on its way the old one keeps its
 * place, so that nothing moves and the new one is written over it; where it takes long it is not seen (`stale`).
 */
export class ToldElement extends Part {
  private forget: (() => void) | undefined;
  private late: ReturnType<typeof setTimeout> | undefined;
  private known: { explained: Explained; result: Result; spoken: string; numbers: Linked | undefined;
    left: Shortened | undefined } | undefined;

  // Beside a locked cell the one that is pointed at, where it is one of those that stand here. A text, so that pointing
  // at others wakes nothing.
  private readonly near = computed(() => {
    const { selection, explanations, onward } = this.store;
    const hover = selection.lock && selection.hover;
    const { explained, lit } = explanations;
    const here = hover && explained && [explained.target, ...explained.answer.feeds, ...lit, ...onward.feeds]
      .some(({ tensor, group }) => tensor === hover.tensor && group === hover.group);
    return here ? JSON.stringify(hover) : '';
  });

  // Styled and placed by the card.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = effect(() => {
      const { explanations, selection } = this.store;
      clearTimeout(this.late);
      if (sameCell(explanations.explained?.target, selection.active)) this.removeAttribute('stale');
      else this.late = setTimeout(() => this.setAttribute('stale', ''), QUICK);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.late);
    this.forget?.();
  }

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const { store } = this;
    const { explained } = store.explanations;
    const { result } = store.sessions;
    if (!explained || !result?.has(explained.target)) return nothing;
    const { target, answer } = explained;
    const tensor = result.find(target.tensor, target.group);
    const locked = store.selection.lock !== undefined;
    const hovered = this.hovered();
    const pointing = this.pointing(explained, hovered);
    const numbers = this.numbers(explained, result);
    const lit = hovered ? (numbers?.cells ?? []).findIndex((cell) => sameCell(cell, hovered)) : -1;
    const slopes = locked && store.slopes.open;
    const counted = numbers !== undefined && !/^-?[\d.]+$/.test(answer.numbers);
    // Of a masked cell there is nothing to count: the drawn formula waits for the next cell that has one.
    return html`<section ?hidden=${!counted}><h3>${strings.withNumbers}</h3>
        <ap-math long ?follows=${!locked} data-part="numbers" .latex=${counted ? numbers.latex : noChange}
          .lit=${lit < 0 ? undefined : `cell${lit}`}
          @pointerover=${this.overNumber} @pointerout=${this.outOfNumber} @click=${this.toNumber}></ap-math>
        ${counted && this.known?.left ? html`<p class="note" data-part="rest">${
          strings.restOfRow(this.known.left.count, full(this.known.left.sum))}</p>` : nothing}
        ${!counted ? noChange : answer.terms?.length ? fraction(answer.terms, pointing) : nothing}</section>
      ${drawings.use(this)?.pictures(result, target, answer, pointing) ?? nothing}
      ${answer.feeds.length ? html`<section><h3>${strings.fedBy} ${
        locked && target.group === 'outputs' && tensor?.row === undefined ? this.switch() : nothing}</h3>
        ${this.sources(answer).map((feed) => feedRow(store, feed, this.theme, hovered,
          slopes ? store.slopes.along(feed) : undefined, this.called(feed, answer, tensor)))}
        ${slopes ? html`<p class="note">${strings.slopesHelp}</p>` : nothing}</section>` : nothing}
      ${locked && store.onward.feeds.length ? html`<section data-part="feeds"><h3>${strings.feedsTitle}</h3>
        ${store.onward.feeds.map((feed) => feedRow(store, feed, this.theme, hovered))}</section>` : nothing}
      ${locked && tensor?.row === undefined && this.hasRow(target, result) && elsewhere.use(this)
        ? html`<section data-part="elsewhere"><ap-elsewhere></ap-elsewhere></section>` : nothing}`;
  }

  // Whether the row of a cell belongs to a token.
  private hasRow({ tensor: name, group, index }: Target, result: Result): boolean {
    const tensor = group === 'outputs' ? result.whole(name, group) : undefined;
    return index.length >= 2 && tensor?.dimensions?.at(-2)?.labels !== undefined;
  }

  private hovered(): Target | undefined {
    return this.near.value === '' ? undefined : JSON.parse(this.near.value) as Target;
  }

  // The formula with its numbers, each knowing its cell: found once for an answer and a language, which has its own
  // decimal sign.
  private numbers(explained: Explained, result: Result): Linked | undefined {
    const spoken = language();
    if (this.known?.explained !== explained || this.known.result !== result || this.known.spoken !== spoken) {
      const { target, answer } = explained;
      const can = answer.numbers && result.find(target.tensor, target.group)?.formula;
      const left = shortened(answer.numbers, answer.terms ?? []);
      const text = `${inFormula(full(answer.value))} = ${left?.latex ?? breakable(answer.numbers)}`;
      this.known = { explained, result, spoken, left, numbers: can ? linked(text, answer.feeds, result) : undefined };
    }
    return this.known.numbers;
  }

  // Gradients are known to tensors of the result, so with them the named ones behind steps stand too.
  private sources({ feeds }: Explanation): readonly Feed[] {
    const { store } = this;
    if (!store.slopes.open || !store.selection.lock) return feeds;
    const more = store.explanations.lit.filter((feed) => feed.group !== 'steps'
      && !feeds.some((f) => f.tensor === feed.tensor && f.group === feed.group));
    return [...feeds, ...more];
  }

  // As the formula above calls it: values are V, whichever module made them, and a step needs its number only beside
  // another one with its letters.
  private called(feed: Feed, { feeds }: Explanation, of: Tensor | undefined): Partial<Naming> | undefined {
    const { result } = this.store.sessions;
    const tensor = result?.find(feed.tensor, feed.group);
    if (!result || !tensor || !of) return undefined;
    const values = valuesBehind(of, result.directory.tensors).find(({ offset }) => offset === tensor.offset);
    if (values && feed.group !== 'parameters') return naming(values);
    const letters = unnumbered(feed.tensor);
    const alike = feeds.filter((one) => one.group === 'steps' && unnumbered(one.tensor) === letters);
    return feed.group === 'steps' && alike.length === 1 ? { symbol: letters } : undefined;
  }

  private switch(): unknown {
    const { slopes } = this.store;
    return html`<button class="link switch" aria-pressed=${slopes.open}
      @click=${() => slopes.setOpen(!slopes.open)}>${strings.slopes}</button>`;
  }

  // A key of the row, in pictures of it, stands for the score that it was weighed by.
  private pointing({ target, answer }: Explained, hovered: Target | undefined): Pointing {
    const { store } = this;
    const scores = answer.feeds.find((feed) => feed.group === 'outputs' && feed.cells.length > 1)
      ?? store.explanations.lit.find((feed) => store.sessions.result?.find(feed.tensor, feed.group)?.role === 'scores');
    const own = { group: target.group, tensor: target.tensor };
    const base = scores ? { group: scores.group, tensor: scores.tensor } : own;
    const lead = (scores?.cells[0] ?? target.index).slice(0, -1);
    const at = (cell: number): Target => ({ ...base, index: [...lead, cell] });
    const same = hovered && (hovered.tensor === base.tensor || hovered.tensor === own.tensor)
      && hovered.index.slice(0, -1).join() === lead.join();
    return { point: (cell) => store.selection.lock && store.selection.point(cell === undefined ? undefined : at(cell)),
      lit: same ? hovered.index.at(-1) : undefined };
  }

  private cellUnder(event: Event): Target | undefined {
    return this.known?.numbers?.cells[numberUnder(event) ?? -1];
  }

  private overNumber(event: Event): void {
    const cell = this.cellUnder(event);
    if (this.store.selection.lock && cell) this.store.selection.point(cell);
  }

  private outOfNumber(): void {
    if (this.store.selection.lock) this.store.selection.point(undefined);
  }

  private toNumber(event: Event): void {
    const cell = this.cellUnder(event);
    if (cell) this.store.selection.hold(cell);
  }
}

customElements.define('ap-told', ToldElement);
