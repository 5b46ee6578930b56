// SPDX-License-Identifier: Apache-2.0
import { computed } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { exact, exactly, full } from '../colour/numbers.ts';
import type { Target } from '../engine/types.ts';
import { lettersBeside, lettersOf } from '../directory/letters.ts';
import { equation as written, isWeights, naming, type Naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { keyAxis, maskOf } from '../directory/spread.ts';
import { editable, scaleRow, write } from '../flow/write.ts';
import { Later } from '../lazy-fetch.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { headInside } from '../strings/heads.ts';
import { arrow } from '../strings/language.ts';
import { prose } from '../strings/prose.ts';
import { typedNumber } from '../strings/numerals.ts';
import { icons } from '../styles/icons.ts';
import { lines } from '../styles/roles.ts';
import { cardStyles } from './card.styles.ts';
import { idle } from './idle.ts';
import { type Result, valueAt } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { shownPiece } from '../strings/displayed-word.ts';

const numberIn = (result: Result, target: Target): number | undefined => {
  const tensor = result.find(target.tensor, target.group);
  const fits = tensor?.shape.length === target.index.length
    && tensor.shape.every((size, k) => (target.index[k] ?? size) < size);
  return fits ? valueAt(tensor, target.index) : undefined;
};

/** The same cell in A and in B, while the two are compared. */
function both(store: Store, target: Target): unknown {
  const results = store.comparison.results();
  if (!results) return nothing;
  const [a, b] = [numberIn(results.a, target), numberIn(results.b, target)];
  if (a === undefined || b === undefined) return nothing;
  const gap = b - a;
  return html`<section data-part="both"><h3>${strings.bothTitle}</h3><dl class="both">
    <div><dt>A</dt><dd><bdi>${full(a)}</bdi></dd></div><div><dt>B</dt><dd><bdi>${full(b)}</bdi></dd></div>
    <div><dt>${strings.difference}</dt><dd><bdi>${gap > 0 ? '+' : ''}${full(gap)}</bdi></dd></div></dl></section>`;
}

// Before somebody has come to a cell nothing is told of one.
const telling = new Later(() => import('./explanation-text.ts'));
const memories = new Later(() => import('../flow/memory.ts'));

// The largest score is taken off where a formula is computed, and not in every paper.
const SHIFTED = /-\s*\\max\s*[Ee]\b/;

/** Explains one number: what it is and its formula; what the engine tells of it stands below (explanation-text.ts). */
export class CardElement extends Part {
  @reactive typing!: boolean;
  // Of the document whose numbers are drawn.
  private readonly choices = computed(() => this.store.book.choices(this.store.pictured));

  static override styles = cardStyles;

  override render(): unknown {
    const { store } = this;
    const target = store.selection.active;
    const value = target && store.numberAt(target);
    if (!target || value === undefined) return idle(store, this);
    void telling.wanted();
    const tensor = store.sessions.result?.find(target.tensor, target.group);
    const { symbol, role } = this.named(target);
    const equation = tensor && tensor.formula
      ? memories.use(this)?.equationIn(store.book, store.pictured, tensor) ?? written(tensor) : '';
    const locked = store.selection.lock !== undefined;
    const [row, col] = [target.index.at(-2), target.index.at(-1)];
    const elsewhere = locked ? store.selection.hover : undefined;
    const lit = elsewhere && store.sessions.result ? this.named(elsewhere).role : store.selection.role;
    return html`<header><h2>${this.heading(target)}</h2>
        <button class="text" aria-pressed=${locked} @click=${() => store.selection.hold(locked ? undefined : target)}>
          ${locked ? icons.lock : icons.open}${locked ? strings.locked : strings.lock}</button>
        <button class="icon" aria-label=${strings.close}
          @click=${() => store.selection.hold(undefined)}>${icons.close}</button></header>
      <div class="now">${this.number(target, value, role)}${telling.use(this)?.was(store, target, value)}
        <span class="note">${row === undefined ? strings.positionRow(col ?? 0) : strings.position(row, col ?? 0)}
          ${symbol ? html`<ap-math .latex=${symbol}></ap-math>` : target.tensor}${this.head(target)}</span></div>
      ${target.group === 'gradients' ? this.slopeOf(target) : nothing}
      ${target.group === 'outputs' && (tensor?.role === 'query' || tensor?.role === 'key' || tensor?.role === 'value')
        ? html`<p class="note" data-part="role">${strings.roleHelp[tensor.role]}</p>` : nothing}
      ${equation ? html`<section @pointerover=${this.overRole}
        @pointerout=${() => store.selection.pointRole(undefined)}><h3>${strings.formula}</h3>
        <ap-math display .latex=${equation} .lit=${lit}
        .others=${lettersBeside(store.sessions.result, tensor!)}></ap-math>${
          this.masked(target) ?? this.maker(target)}</section>` : nothing}
      ${both(store, target)}
      <ap-told></ap-told>`;
  }

  // What a mask hides has no share of the formula that the others have.
  private masked({ tensor: name, group, index }: Target): unknown {
    const { result } = this.store.sessions;
    const tensor = group === 'outputs' ? result?.find(name, group) : undefined;
    if (!result || !tensor || !isWeights(tensor)) return undefined;
    return maskOf(result, tensor, index)?.[index[keyAxis(tensor)] ?? 0] === 0
      ? html`<p class="note" data-part="hidden">${strings.hiddenByMask}</p>` : undefined;
  }

  // Which choice of the panel made this matrix, in the catalogue's words.
  private maker(target: Target): unknown {
    const { result } = this.store.sessions;
    const tensor = result?.find(target.tensor, target.group);
    // No alignment makes weights that are put together from other weights.
    const mixed = tensor?.from?.map((at) => result?.entryAt(at)).some((one) => one && isWeights(one));
    const kind = tensor && (isWeights(tensor) ? !mixed && 'alignment'
      : tensor.group === 'outputs' && tensor.role === 'scores' ? 'score' : undefined);
    const [made, second] = this.choices.value.filter((choice) => choice.slot.kind === kind && choice.mechanism);
    if (!made?.mechanism || second) return nothing;
    const { title, sentence, formula, lang, parameters } = made.mechanism;
    return html`<div class="made" data-part="made"
      lang=${lang ?? nothing}>${lines(formula).map((latex) => html`<ap-math block .latex=${latex}
        .others=${lettersOf(parameters)}></ap-math>`)}
      <p class="note"><b>${title}</b>: ${prose(sentence)}</p></div>${
        SHIFTED.test(tensor?.formula ?? '') && !SHIFTED.test(formula)
        ? html`<p class="note" data-part="shifted">${strings.shifted}</p>` : nothing}`;
  }

  // The number itself, and where it is given rather than computed a field to set it.
  private number(target: Target, value: number, role: string): unknown {
    const { store } = this;
    const tensor = store.sessions.result?.find(target.tensor, target.group);
    const can = store.selection.lock !== undefined && tensor !== undefined
      && store.sessions.result !== undefined && editable(tensor, store.sessions.result);
    if (!can) return html`<span class="big ${role}" data-value=${value} dir="ltr">${full(value)}</span>`;
    const commit = (event: Event) => {
      const text = (event.target as HTMLInputElement).value.trim().replace('−', '-');
      const typed = typedNumber(text);
      if (!Number.isFinite(typed)) store.view.show({ notice: [{ key: 'numberWanted', values: [text] }] });
      else if (typed !== Number(exact(value))) write(store, tensor, target.index, typed);
    };
    return html`<span class="big ${role}" data-value=${value} dir="ltr">${full(value)}</span>
      <input class="set" type="text" inputmode="decimal" aria-label=${strings.editValue} .value=${exactly(value)}
        @change=${commit} />
      ${([[2, 'doubleRow'], [-1, 'negateRow']] as const)
        .map(([by, label]) => html`<button class="link" data-row=${by}
        @click=${() => scaleRow(store, tensor, target.index, by)}>${strings[label]}</button>`)}`;
  }

  private slopeOf(target: Target): unknown {
    const of = this.store.sessions.result?.find(target.tensor, target.group)?.of;
    if (!of) return nothing;
    return html`<section><p class="note">${strings.slopeOf(this.store.slopes.of, naming(of).title || of.name)}</p>
      <button class="link" @click=${() =>
        this.store.selection.hold({ group: of.group, tensor: of.name, index: target.index })}>${
        strings.toTheCell}</button></section>`;
  }

  private overRole(event: Event): void {
    const roles = ['query', 'key', 'value', 'score', 'weight', 'context'];
    const found = event.composedPath().flatMap((at) => (at instanceof Element ? [...at.classList] : []))
      .find((name) => roles.includes(name));
    if (found !== this.store.selection.role) this.store.selection.pointRole(found);
  }

  private heading(target: Target): unknown {
    const { result } = this.store.sessions;
    const tensor = result?.find(target.tensor, target.group);
    const { one, symbol } = this.named(target);
    // A step has no name but its formula.
    if (target.group === 'steps') return html`${one} <ap-math .latex=${symbol}></ap-math>`;
    const names = target.index.map((at, k) => result?.labels(tensor?.places[k] ?? '')?.[at])
      .filter((name) => name !== undefined);
    if (names.length === 0) return one;
    return html`${one} <em>${names.map((name, k) => html`${k > 0 ? ` ${arrow()} ` : nothing}<bdi>${
      shownPiece(name)}</bdi>`)}</em>`;
  }

  private named({ tensor, group }: Target): Naming {
    return naming(this.store.sessions.result?.find(tensor, group) ?? { name: tensor, group });
  }

  private head(target: Target): string {
    const tensor = this.store.sessions.result?.find(target.tensor, target.group);
    const at = tensor?.places.indexOf(HEAD) ?? -1;
    return at < 0 ? '' : `, ${headInside(tensor!, target.index[at] ?? 0)}`;
  }
}

customElements.define('ap-card', CardElement);
