// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import type { Domain } from '../colour/scale.ts';
import { fitted } from '../elements/heat.ts';
import '../elements/heat-element.ts';
import { headAt, headsIn, indexFor } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import { Later } from '../lazy-fetch.ts';
import { grouped, maximum, minimum } from '../lists.ts';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { headNamed, withMap } from '../strings/heads.ts';
import { fixed } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { dots, reachOf } from './dots.ts';
import { type Fit, fitOf } from './map-size.ts';
import { areCrossed, type Head, headsOf, lacksOf, ranked, sharedKeys } from './measured-heads.ts';
import { headsStyles } from './heads.styles.ts';
import { moved } from './keys.ts';
import { measures } from './measures/all.ts';
import type { HeadMeasure } from './measures/measure.ts';
import { parametersOf } from './parameter-counts.ts';
import { headSwitch, isOff } from './switched.ts';
import { words } from './words.ts';

const metadata = new Later(() => import('../models/model-metadata.ts'));

// Of more heads the dots come first, and the maps of the highest ones.
const MOST = 400;
const DRAWN = 48;
// So many of the highest are outlined.
const OUTLINED = 3;

/** Every head of a document: layers by heads, one small map each, on one scale, scored by a measure. */
export class AllHeadsElement extends Part {
  @reactive measure = 0;
  @reactive sorted = false;
  @reactive at = 0;
  @reactive room = 0;

  static override styles = headsStyles;

  constructor() {
    super();
    measured(this, (width) => (this.room = width));
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
    const scored = heads.some(({ scores }) => Object.keys(scores).length > 0);
    if (!scored) return html`<p class="note" data-part="unmeasured">${words().noShares}</p>${this.acts(shown)}${
      this.grid(shown, order, domain, listed)}${this.parameters()}`;
    return html`<p class="note">${words().findHelp} <button class="link inline" data-part="order" aria-pressed=${listed}
        ?hidden=${heads.length > MOST} @click=${() => (this.sorted = !this.sorted)}>${
          listed ? words().inPlace : words().inOrder}</button></p>
      <p class="found" role="status" data-part="found">${best ? words().finds(placeOf(best),
        this.number(best.scores[chosen.id]!, chosen), order.length, words().names[chosen.id])
        : words().none} ${this.lack(chosen)}</p>
      <p class="note">${this.what(chosen)} ${best ? words().frames(Math.min(OUTLINED, order.length))
        : nothing}${heads.length > MOST ? html` ${words().most(shown.length,
        heads.length)}` : nothing}</p>
      ${this.acts(shown)}
      <div class="sides ${this.fits(shown).stacked ? 'stacked' : ''}">
        <div class="finder" role="group" aria-label=${words().find}>${
        measures.map((measure, k) => this.line(measure, k))}</div>${
        this.grid(shown, order, domain, listed)}</div>${this.parameters()}`;
  }

  private parameters(): unknown {
    const { result } = this.store.sessions;
    return result ? parametersOf(result, metadata.use(this)?.modelOf(result.directory.document)?.counts) : nothing;
  }

  private grid(shown: readonly Head[], order: readonly Head[], domain: Domain, listed: boolean): unknown {
    return html`<div class="grid" role="group" aria-label="${words().title}. ${words().help}"
      @keydown=${(e: KeyboardEvent) => this.key(e, shown, listed)}>${listed
      ? html`<div class="list">${shown.map((head, k) => this.one(head, k, shown, order, domain, true))}</div>`
      : this.layers(shown, order, domain)}</div>`;
  }

  // What can be done with the head that is shown large.
  private acts(shown: readonly Head[]): unknown {
    const head = shown.find((one) => this.isOpen(one, shown));
    if (!head) return nothing;
    const { result } = this.store.sessions;
    const keys = result && sharedKeys(head, result);
    const act = headSwitch(this.store, head.tensor, head.head) ?? nothing;
    if (act === nothing && !keys) return nothing;
    return html`${keys ? html`<p class="note" data-part="shared-keys">${words().sharedKeys(keys.readers!,
      headsIn(keys))}</p>` : nothing}<p data-part="acts"><b>${placeOf(head)}</b>${keys ? html` <span
      class="note">${headNamed(keys, indexFor(keys, keys.places.indexOf(HEAD), { [HEAD]: head.head }))}</span>`
      : nothing} ${act}</p>`;
  }

  private isOpen({ head, module }: Head, shown: readonly Head[]): boolean {
    const { view, selection } = this.store;
    return (selection.chosen[HEAD] ?? 0) === head && (view.module ?? heads0(shown)) === module;
  }

  private layers(heads: readonly Head[], order: readonly Head[], domain: Domain): unknown {
    const rows = [...grouped(heads, ({ layer }) => String(layer)).values()];
    let first = 0;
    return rows.map((row) => {
      const start = first;
      first += row.length;
      const { called, module } = row[0]!;
      return html`<div class="layer">${called === '' ? nothing
        : html`<button class="link note" data-layer=${module} title=${words().toLayer(called)}
          @click=${() => this.open(row[0]!, false)}>${called}</button>`}${
        html`<div class="list">${row.map((head, k) =>
          this.one(head, start + k, heads, order, domain, false))}</div>`}</div>`;
    });
  }

  private one(head: Head, k: number, shown: readonly Head[], order: readonly Head[], domain: Domain,
    named: boolean): unknown {
    const { chosen } = this;
    const value = head.scores[chosen.id];
    const rank = order.indexOf(head);
    const open = this.isOpen(head, shown);
    const off = isOff(this.store, head.tensor, head.head);
    const { side } = this.fits(shown);
    const { w, h } = fitted(head.plane, side);
    const says = value === undefined
      ? words().saysNone(placeOf(head), words().names[chosen.id])
      : words().says(placeOf(head), words().names[chosen.id], this.seen(value, chosen), rank + 1, order.length);
    const said = off ? `${says} ${words().off}` : says;
    const share = value === undefined ? 0 : Math.min(1, value / reachOf(shown, chosen));
    return html`<button class="head ${rank >= 0 && rank < OUTLINED ? 'best' : ''} ${off ? 'off' : ''}"
      aria-pressed=${open} aria-label=${said} title=${said}
      tabindex=${k === Math.min(this.at, shown.length - 1) ? 0 : -1} data-head=${`${head.module} ${head.head + 1}`}
      @focus=${() => (this.at = k)} @click=${() => this.open(head)}>
      <ap-heat .plane=${head.plane} .mask=${head.mask} .domain=${domain} .kind=${domain[0] < 0 ? 'signed' : 'weights'}
        .w=${w} .h=${h}></ap-heat>
      <span class="score"><span class="bar" ${place({ width: Math.round(share * (side - 30)) })}></span><span
        dir=${off ? nothing : 'ltr'}>${
          off ? words().isOff : value === undefined ? '–' : inCell(value, true)}</span></span>${
        named ? html`<span class="where" ${place({ width: side })}>${placeOf(head)}</span>` : nothing}</button>`;
  }

  private line(measure: HeadMeasure, k: number): unknown {
    const [best] = ranked(this.heads, measure);
    const at = best && placeOf(best);
    const value = best?.scores[measure.id];
    return html`<button aria-pressed=${k === this.measure} data-measure=${measure.id}
      @click=${() => (this.measure = k)}>
      <span class="line"><b>${words().names[measure.id]}</b> <span class="note">${at === undefined
        ? [words().noNumber, this.lack(measure)].filter(Boolean).join(': ')
        : measure.best === 'highest' ? words().highest(at) : words().lowest(at)}</span></span>
      <span class="line">${dots(this.heads, measure, best)}<span dir="ltr">${value === undefined ? nothing
        : inCell(value, true)}</span></span></button>`;
  }

  private fits(heads: readonly Head[]): Fit {
    return fitOf(maximum(heads.map(({ head }) => head)) + 1, this.room);
  }

  // What the number is; between two texts some are of other tokens.
  private what({ id }: HeadMeasure): string {
    const { result } = this.store.sessions;
    const said = words().what[id];
    return (id === 'first' || id === 'same') && result && areCrossed(this.heads, result)
      ? `${said} ${words().crossed[id]}` : said;
  }

  // Why heads have no number of a measure, in words; how many they are, unless all lack the same.
  private lack(measure: HeadMeasure): string {
    const { result } = this.store.sessions;
    const found = result ? [...lacksOf(this.heads, measure, result)] : [];
    return found.map(([lack, heads]) => (heads === this.heads.length ? words().lacks[lack]
      : words().lacking(heads, words().lacks[lack]))).join(' ');
  }

  private number(value: number, { unit }: HeadMeasure): string {
    return unit === 'bits' ? words().bits(fixed(value, 2)) : inCell(value, true);
  }

  // A button is called by what is written on it: who speaks to the page says what is seen.
  private seen(value: number, { unit }: HeadMeasure): string {
    const text = inCell(value, true);
    return unit === 'bits' ? words().bits(text) : text;
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

  // Opens a head, or its layer with the head that is shown already.
  private open(head: Head, chosen = true): void {
    const { store } = this;
    store.view.show({ view: 'matrix', large: undefined, ...(head.module === '' ? {} : { module: head.module }) });
    if (chosen) store.selection.choose(HEAD, head.head);
    // The module is drawn large first.
    const there = new CustomEvent('open-head', { detail: head.tensor.name, bubbles: true, composed: true });
    requestAnimationFrame(() => requestAnimationFrame(() => this.dispatchEvent(there)));
  }
}

// Where a head is, as the page calls it elsewhere.
function placeOf({ called, head, tensor }: Head): string {
  const at = headAt(tensor, head);
  return withMap(called === '' ? words().head(at.head) : words().place(called, at.head), at.map);
}

// Without a choice of the reader the first module is the one that is drawn large.
const heads0 = (heads: readonly Head[]): string =>
  heads.reduce((first, head) => (head.layer < first.layer ? head : first)).module;

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
