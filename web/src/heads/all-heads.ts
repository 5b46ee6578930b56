// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import type { Domain } from '../colour/scale.ts';
import { fitted } from '../elements/heat.ts';
import '../elements/heat-element.ts';
import { HEAD } from '../directory/places.ts';
import { grouped } from '../structure/parts.ts';
import { maximum, minimum } from '../lists.ts';
import { Part } from '../part.ts';
import { fixed } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { base } from '../styles/tokens.ts';
import { dots, reachOf } from './dots.ts';
import { type Head, headsOf, ranked } from './found.ts';
import { headsStyles } from './heads.styles.ts';
import { moved } from './keys.ts';
import { measures } from './measures/all.ts';
import type { HeadMeasure } from './measures/measure.ts';
import { words } from './words.ts';

// Of more heads the dots come first, and the maps of the highest ones.
const MOST = 400;
const DRAWN = 48;
// So many of the highest are outlined.
const OUTLINED = 3;

/** Every head of a document: layers by heads, one small map each, on one scale, scored by a measure. */
export class AllHeadsElement extends Part {
  static override properties = { ...Part.properties, measure: { state: true }, sorted: { state: true },
    at: { state: true } };
  declare measure: number;
  declare sorted: boolean;
  declare at: number;

  static override styles = [base, headsStyles];

  constructor() {
    super();
    this.measure = this.at = 0;
    this.sorted = false;
  }

  private get heads(): readonly Head[] {
    const { result } = this.store.sessions;
    return result ? headsOf(result) : [];
  }

  private get chosen(): HeadMeasure {
    return measures[this.measure]!;
  }

  override render(): unknown {
    const { heads, chosen } = this;
    if (heads.length === 0) return nothing;
    const order = ranked(heads, chosen);
    const listed = this.sorted || heads.length > MOST;
    const shown = listed ? [...order, ...heads.filter((head) => !order.includes(head))].slice(0,
      heads.length > MOST ? DRAWN : heads.length) : heads;
    const domain = domainOf(heads);
    const [best] = order;
    // Of numbers that are no shares of attention there is nothing to find.
    const measured = heads.some(({ scores }) => Object.keys(scores).length > 0);
    if (!measured) return html`<p class="note" data-part="unmeasured">${words().noShares}</p>${
      this.grid(shown, order, domain, listed)}`;
    return html`<p class="note">${words().findHelp} <button class="link" data-part="order" aria-pressed=${listed}
        ?hidden=${heads.length > MOST} @click=${() => (this.sorted = !this.sorted)}>${
          listed ? words().inPlace : words().inOrder}</button></p>
      <p class="found" role="status" data-part="found">${best ? words().finds(best.layer + 1, best.head + 1,
        this.number(best.scores[chosen.id]!, chosen), heads.length, words().names[chosen.id]) : words().none}</p>
      <p class="note">${words().what[chosen.id]}${heads.length > MOST ? html` ${words().most(shown.length,
        heads.length)}` : nothing}</p>
      <div class="sides"><div class="finder" role="group" aria-label=${words().find}>${
        measures.map((measure, k) => this.line(measure, k))}</div>${
        this.grid(shown, order, domain, listed)}</div>`;
  }

  private grid(shown: readonly Head[], order: readonly Head[], domain: Domain, listed: boolean): unknown {
    return html`<div class="grid" role="group" aria-label="${words().title}. ${words().help}"
      @keydown=${(e: KeyboardEvent) => this.key(e, shown, listed)}>${listed
      ? html`<div class="list">${shown.map((head, k) => this.one(head, k, shown, order, domain, true))}</div>`
      : this.layers(shown, order, domain)}</div>`;
  }

  private layers(heads: readonly Head[], order: readonly Head[], domain: Domain): unknown {
    const rows = [...grouped(heads, ({ layer }) => String(layer)).values()];
    let first = 0;
    return rows.map((row) => {
      const start = first;
      first += row.length;
      return html`<div class="layer"><span class="note" title=${row[0]!.module}>${
        words().layerNumber(row[0]!.layer + 1)}</span>${
        row.map((head, k) => this.one(head, start + k, heads, order, domain, false))}</div>`;
    });
  }

  private one(head: Head, k: number, shown: readonly Head[], order: readonly Head[], domain: Domain,
    named: boolean): unknown {
    const { chosen } = this;
    const value = head.scores[chosen.id];
    const rank = order.indexOf(head);
    const { view, selection } = this.store;
    const open = (selection.chosen[HEAD] ?? 0) === head.head && (view.module ?? heads0(shown)) === head.module;
    const side = sideOf(shown);
    const { w, h } = fitted(head.plane, side);
    const said = value === undefined
      ? words().saysNone(head.layer + 1, head.head + 1, words().names[chosen.id])
      : words().says(head.layer + 1, head.head + 1, words().names[chosen.id], this.number(value, chosen), rank + 1,
        order.length);
    const share = value === undefined ? 0 : Math.min(1, value / reachOf(shown, chosen));
    return html`<button class="head ${rank >= 0 && rank < OUTLINED ? 'best' : ''}" aria-pressed=${open}
      aria-label=${said} title=${said} tabindex=${k === Math.min(this.at, shown.length - 1) ? 0 : -1} data-head=${
        `${head.layer + 1}.${head.head + 1}`}
      @focus=${() => (this.at = k)} @click=${() => this.open(head)}>
      <ap-heat .plane=${head.plane} .mask=${head.mask} .domain=${domain} .kind=${domain[0] < 0 ? 'signed' : 'weights'}
        .w=${w} .h=${h}></ap-heat>
      <span class="score"><span class="bar" ${place({ width: Math.round(share * (side - 30)) })}></span><span>${
        named ? html`${words().place(head.layer + 1, head.head + 1)} · ` : nothing}${
        value === undefined ? '–' : inCell(value, true)}</span></span></button>`;
  }

  private line(measure: HeadMeasure, k: number): unknown {
    const [best] = ranked(this.heads, measure);
    const at = best && words().placeSaid(best.layer + 1, best.head + 1);
    const value = best?.scores[measure.id];
    return html`<button aria-pressed=${k === this.measure} data-measure=${measure.id}
      @click=${() => (this.measure = k)}>
      <span class="line"><b>${words().names[measure.id]}</b> <span class="note">${at === undefined ? words().noNumber
        : measure.best === 'highest' ? words().highest(at) : words().lowest(at)}</span></span>
      <span class="line">${dots(this.heads, measure, best)}<span>${value === undefined ? nothing
        : inCell(value, true)}</span></span></button>`;
  }

  private number(value: number, { unit }: HeadMeasure): string {
    return unit === 'bits' ? words().bits(fixed(value, 2)) : inCell(value, true);
  }

  private key(event: KeyboardEvent, shown: readonly Head[], listed: boolean): void {
    const digit = Number(event.key);
    if (digit >= 1 && digit <= measures.length && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.measure = digit - 1;
      return event.preventDefault();
    }
    const rows = listed ? [shown.length]
      : [...grouped(shown, ({ layer }) => String(layer)).values()].map((row) => row.length);
    const to = moved(rows, this.at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.at = to;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelectorAll<HTMLElement>('.head')[to]?.focus());
  }

  private open(head: Head): void {
    const { store } = this;
    store.view.show({ view: 'matrix', large: undefined, ...(head.module === '' ? {} : { module: head.module }) });
    store.selection.choose(HEAD, head.head);
    this.dispatchEvent(new CustomEvent('open-head', { detail: head.tensor.name, bubbles: true, composed: true }));
  }
}

// Without a choice of the reader the first module is the one that is drawn large.
const heads0 = (heads: readonly Head[]): string =>
  heads.reduce((first, head) => (head.layer < first.layer ? head : first)).module;

function sideOf(heads: readonly Head[]): number {
  const across = maximum(heads.map(({ head }) => head)) + 1;
  return across <= 8 ? 72 : across <= 12 ? 56 : 44;
}

// One scale for all heads, so that the same colour means the same weight everywhere.
const domains = new WeakMap<readonly Head[], Domain>();
function domainOf(heads: readonly Head[]): Domain {
  let domain = domains.get(heads);
  if (!domain) {
    const tensors = new Set(heads.map(({ tensor }) => tensor));
    let [low, high] = [0, 0];
    for (const { data } of tensors) [low, high] = [minimum(data, low), maximum(data, high)];
    domain = low < 0 ? [-Math.max(high, -low), Math.max(high, -low)] : [0, high || 1];
    domains.set(heads, domain);
  }
  return domain;
}
customElements.define('ap-all-heads', AllHeadsElement);
