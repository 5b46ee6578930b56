// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { colourOf, domainIn } from '../colour/scale.ts';
import { valueAt } from '../engine/result.ts';
import type { Feed, Target } from '../engine/types.ts';
import { equation as written, kindOf, naming } from '../flow/names.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { icons } from '../styles/icons.ts';
import { base, fields } from '../styles/tokens.ts';
import { fraction } from './fraction.ts';
import { idle } from './idle.ts';

/** Explains one number: its formula, the formula with the numbers in it, and what feeds it. */
export class CardElement extends Part {
  static override properties = { ...Part.properties, theme: {} };
  declare theme: 'light' | 'dark';

  static override styles = [
    base,
    fields,
    css`
      :host { display: block; padding: 12px 16px 24px; }
      header { display: flex; align-items: center; gap: 6px; min-height: 28px; }
      h2 { font-size: 15px; flex: 1; min-width: 0; overflow-wrap: anywhere; }
      h2 em { font-style: italic; }
      .now { display: flex; align-items: baseline; gap: 12px; flex-wrap: wrap; padding-bottom: 12px; }
      .big { font-size: 30px; line-height: 36px; font-weight: 600; }
      section { border-top: 1px solid var(--line); padding: 10px 0 12px; }
      h3 { font-weight: 400; color: var(--ink2); margin-bottom: 6px; }
      .fraction { margin-top: 12px; }
      .over, .under { position: relative; height: 18px; }
      .over { border-bottom: 2px solid var(--ink); height: 21px; }
      .under { margin-top: 3px; }
      .over i, .under i { position: absolute; top: 0; height: 18px; background: var(--line2); }
      .over i.chosen, .under i.chosen { background: var(--weight); }
      .over span { position: absolute; top: 0; font-size: 12px; color: var(--ink2); }
      .names { position: relative; height: 18px; font-size: 12px; color: var(--ink2); }
      .names span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
      .names .weight { font-weight: 600; color: var(--weight); }
      .fraction .note { text-align: right; }
      .feed { display: grid; grid-template-columns: minmax(84px, auto) 1fr auto; gap: 10px; align-items: center; min-height: 26px; }
      .feed button { text-align: left; overflow-wrap: anywhere; }
      .strip { display: flex; height: 14px; gap: 1px; max-width: 130px; }
      .strip i { flex: 1; min-width: 1px; }
      .mech { padding: 8px 0; }
      .mech b { font-weight: 600; }
      .mech a { color: inherit; text-underline-offset: 3px; display: inline-block; min-height: 24px; line-height: 24px; }
      .hint { font-size: 14px; line-height: 20px; color: var(--ink2); margin: 2px 0 12px; }
    `,
  ];

  override render(): unknown {
    const { store } = this;
    const target = store.active;
    const value = target && store.numberAt(target);
    if (!target || value === undefined) return idle(store);
    const tensor = store.result?.find(target.tensor, target.group);
    const { symbol, role } = naming(named(target));
    const explained = store.explained;
    const fits = explained && JSON.stringify(explained.target) === JSON.stringify(target);
    const answer = fits ? explained.answer : undefined;
    const equation = tensor && tensor.formula ? written(tensor) : '';
    const locked = store.lock !== undefined;
    const [row, col] = [target.index.at(-2), target.index.at(-1)];
    return html`<header><h2>${this.heading(target)}</h2>
        <button class="text" aria-pressed=${locked} @click=${() => store.hold(locked ? undefined : target)}>
          ${locked ? icons.lock : icons.open}${locked ? strings.locked : strings.lock}</button>
        <button class="icon" aria-label=${strings.close} @click=${() => store.hold(undefined)}>${icons.close}</button></header>
      <div class="now"><span class="big ${role}" data-value=${value}>${full(value)}</span>
        <span class="note">${row === undefined ? strings.positionRow(col ?? 0) : strings.position(row, col ?? 0)}
          ${symbol ? html`<ap-math .latex=${symbol}></ap-math>` : target.tensor}${this.head(target)}</span></div>
      ${equation ? html`<section><h3>${strings.formula}</h3><ap-math display .latex=${equation}></ap-math></section>` : nothing}
      ${answer?.numbers && tensor?.formula ? html`<section><h3>${strings.withNumbers}</h3><ap-math long .latex=${`${full(value)} = ${answer.numbers}`}></ap-math>
        ${answer.terms?.length ? fraction(answer.terms) : nothing}</section>` : nothing}
      ${answer?.feeds.length ? html`<section><h3>${strings.fedBy}</h3>${answer.feeds.map((feed) => this.feed(feed))}</section>` : nothing}`;
  }

  private heading(target: Target): unknown {
    const { result } = this.store;
    const tensor = result?.find(target.tensor, target.group);
    const { one } = naming(named(target));
    const names = target.index.map((at, k) => result?.labels(tensor?.axes[k] ?? '')?.[at]).filter((name) => name !== undefined);
    if (names.length === 0) return one;
    return html`${one} <em>${names.join(' → ')}</em>`;
  }

  private head(target: Target): string {
    const tensor = this.store.result?.find(target.tensor, target.group);
    const at = tensor?.axes.indexOf('h') ?? -1;
    return at < 0 ? '' : `, ${strings.head((target.index[at] ?? 0) + 1).toLowerCase()}`;
  }

  private feed(feed: Feed): unknown {
    const tensor = this.store.result?.find(feed.tensor, feed.group);
    const first = feed.cells[0];
    if (!tensor || !first) return nothing;
    const { title, symbol, role, base } = naming(tensor);
    const kind = kindOf(tensor);
    const domain = domainIn(tensor.data, kind);
    const cells = feed.cells.slice(0, 32).map((index) => valueAt(tensor, index));
    return html`<div class="feed">
      <button class="link" aria-label=${title ? nothing : feed.tensor} @click=${() => this.store.hold({ group: feed.group, tensor: feed.tensor, index: first })}>${title}
        ${symbol ? html`<ap-math class="plain ${role}" .latex=${symbol}></ap-math>` : nothing}</button>
      ${feed.cells.length > 1 && base !== 'mask' ? html`<span class="strip" aria-hidden="true">${cells.map((v) => html`<i ${place({ background: colourOf(v, domain, kind, this.theme).fill })}></i>`)}</span>` : html`<span></span>`}
      <span class=${feed.cells.length > 1 ? 'note' : ''}>${feed.cells.length > 1 ? strings.cells(feed.cells.length) : full(cells[0] ?? 0)}</span></div>`;
  }
}

const named = (target: Target) => ({ name: target.tensor, group: target.group });

customElements.define('ap-card', CardElement);
