// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { compute } from '../engine/compute.ts';
import { full, onLegend } from '../colour/numbers.ts';
import { type Domain, domainOf } from '../colour/scale.ts';
import type { Tensor, Result } from '../engine/result.ts';
import type { Target, Doc, Located } from '../engine/types.ts';
import { indexFor } from '../directory/heads.ts';
import { HEAD, isQuery } from '../directory/places.ts';
import { inWords } from '../flow/highlight.ts';
import { equation, isMask, isWeights, kindOf, naming } from '../directory/naming.ts';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { direction } from '../strings/language.ts';
import { objection } from '../strings/quote.ts';
import { filled, slider } from '../styles/slider.ts';
import { feeds, inMap, largest, type LeftOut } from './bins.ts';
import './strip.ts';
import { cell } from '../state/cells.ts';
import { whilePending } from '../lazy-fetch.ts';
import type { Store } from '../state/store.ts';

/**
 * Asks the engine for one row of the maps that a result does not hold, and puts it beside them. The reader's document
 * stays as it is.
 */
class RowAsk {
  @cell error: Located | undefined;
  private asked: { result: Result; row: number } | undefined;

  constructor(private readonly store: Store) {}

  about(maps: LeftOut[], row: number): void {
    const { result } = this.store.sessions;
    if (!result || (this.asked?.result === result && this.asked.row === row)) return;
    this.asked = { result, row };
    void whilePending(this.fetch(result, maps, row));
  }

  private async fetch(result: Result, maps: LeftOut[], row: number): Promise<void> {
    const document: Doc = { ...result.directory.document, outputs: maps.map(({ name }) => `${name}[${row}]`) };
    delete document['gradient'];
    const reply = await compute(this.store.client, document, 'row');
    // Another row, or other numbers, are on their way.
    if (!reply || this.asked?.result !== result || this.asked.row !== row) return;
    this.error = reply.error;
    result.add(new Set(maps.map(({ name }) => name)), maps.flatMap((map) => this.rowOf(map, row, reply.result)));
  }

  private rowOf(map: LeftOut, row: number, found: Result | undefined): Tensor[] {
    const tensor = found?.whole(`${map.name}[${row}]`, 'outputs');
    return tensor ? [{ ...map, offset: -1, row, data: tensor.data }] : [];
  }
}

const MOST_HEADS = 32;
const MOST_NAMED = 6;

/**
 * Stands where maps are too large to be drawn, or were never held: one row of them, of a query that the reader chooses.
 */
export class MapRowElement extends Part {
  @reactive maps!: LeftOut[];
  @reactive width = 0;
  private ask: RowAsk | undefined;

  constructor() {
    super();
    measured(this, (width) => (this.width = Math.floor(width)));
  }

  static override styles = [slider, css`
    :host { display: block; margin: var(--space-2) 0 var(--space-12); min-width: 0; }
    .choose { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center;
      margin: var(--space-4) 0 var(--space-7); }
    .choose input[type='range'] { flex: 1 1 160px; max-width: 420px; }
    .choose .num { width: 84px; }
    .choose b { color: var(--query); overflow: hidden; text-overflow: ellipsis; white-space: pre; max-width: 16em; }
    figure { margin: 0 0 var(--space-8); }
    figcaption { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-5); align-items: baseline;
      margin-bottom: var(--space-3); }
    .title { font-weight: 600; }
    .lit { outline: 2px solid var(--ink3); outline-offset: 4px; }
    .strip { display: grid; grid-template-columns: max-content 1fr; column-gap: var(--space-5);
      margin-bottom: var(--space-4); align-items: center; }
    .ends { display: flex; flex-direction: column; justify-content: space-between; align-self: stretch;
    text-align: end; font-size: var(--text-mark); line-height: 1; color: var(--ink2); min-width: 52px; }
    .keys { display: flex; justify-content: space-between; font-size: var(--text-mark); color: var(--ink2);
    margin-inline-start: 62px; }
    .head { grid-column: 2; font-size: var(--text-note); color: var(--ink2); justify-self: start; }
    .head[aria-pressed='true'] { color: var(--ink); font-weight: 600; }
    .most { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-7); align-items: baseline; }
    .most .link, .head { min-height: var(--press); }
    .choose input { min-height: var(--press); }
  `];

  private get axis(): string {
    return this.maps[0]?.places.at(-2) ?? '';
  }

  private get rows(): number {
    return this.maps[0]?.shape.at(-2) ?? 1;
  }

  // The query of the cell that is locked, or that is pointed at elsewhere; else of the word that is
  // pointed at, else the one that was set. To point at the row itself leads nowhere else.
  private get row(): number {
    const { store, axis } = this;
    const mine = (target: Target | undefined) => this.maps.some((map) => inMap(map, target));
    const locked = mine(store.selection.lock) ? store.selection.lock?.index.at(-2) : undefined;
    const elsewhere = isQuery(axis) && !mine(store.selection.active) ? store.selection.places[axis] : undefined;
    const labels = store.sessions.result?.labels(axis);
    const word = store.selection.word && labels?.length === store.selection.word.labels.length
      && store.selection.word.labels[store.selection.word.at] === labels[store.selection.word.at]
      ? store.selection.word.at : undefined;
    return Math.min(this.rows - 1, locked ?? elsewhere ?? word ?? store.selection.chosen['query'] ?? 0);
  }

  override willUpdate(): void {
    if (!this.store) return;
    this.ask ??= new RowAsk(this.store);
    // Where a cell is locked, the picture stays when it is let go.
    if (this.maps.some((map) => inMap(map, this.store.selection.lock))) this.store.selection.turnTo('query', this.row);
    this.ask.about(this.maps, this.row);
  }

  override render(): unknown {
    const { store, row } = this;
    const token = store.sessions.result?.labels(this.axis)?.[row];
    const error = this.ask?.error;
    return html`<p class="note" role="status">${store.sessions.result?.directory.fused ? strings.fused : nothing} ${
      strings.mapRow.about(this.rows, this.maps[0]?.shape.at(-1) ?? 1)}</p>
      <div class="choose"><label for="row">${strings.mapRow.query}</label>
        <input type="range" id="row" min="0" max=${this.rows - 1} .value=${String(row)}
          ${filled(row / Math.max(1, this.rows - 1))} aria-valuetext="${row} ${token ?? ''}" @input=${this.move} />
        <input class="num" type="number" aria-label=${strings.mapRow.query} min="0" max=${this.rows - 1}
          .value=${String(row)} @change=${this.move} />
        <b>${token ?? nothing}</b></div>
      ${error ? html`<p class="error" role="alert"
        dir=${direction()}>${objection(strings.mapRow.query, error.message)}</p>`
        : this.maps.filter((map) => !isMask(map)).map((map) => this.map(map))}`;
  }

  private move(event: Event): void {
    const { store } = this;
    const at = Math.min(this.rows - 1, Math.max(0, Math.round(Number((event.target as HTMLInputElement).value) || 0)));
    store.selection.turnTo('query', at);
    const { lock } = store.selection;
    // A cell of these maps goes along; any other would hold its own query.
    if (lock) store.selection.hold(this.maps.some((map) => inMap(map, lock))
      ? { ...lock, index: lock.index.with(-2, at) } : undefined);
  }

  private tensor(map: LeftOut): Tensor | undefined {
    return this.store.sessions.result?.rows.find(({ name }) => name === map.name);
  }

  private map(map: LeftOut): unknown {
    const tensor = this.tensor(map);
    const { title, role } = naming(map);
    if (!tensor) return nothing;
    const keys = tensor.shape.at(-1) ?? 1;
    const strips = this.leads(map);
    const domain = this.domain(tensor);
    const names = this.store.sessions.result?.labels(map.places.at(-1) ?? '');
    const many = strips.length > 1;
    return html`<figure data-map=${map.name} class=${feeds(this.store.explanations.lit, map) ? 'lit' : ''}>
      <figcaption><span class="title ${role}">${title}</span> <ap-math class="plain" .latex=${equation(map)}></ap-math>
        <span class="note">${strings.mapRow.rowOf(tensor.row ?? 0, this.rows)}${
          many ? ` · ${strings.mapRow.oneScale}` : ''}</span></figcaption>
      ${strips.map((lead) => this.strip(map, tensor, lead, domain, many))}
      <div class="keys"><span>${names?.[0] ?? 0}</span><span>${strings.key}</span><span>${
        names?.[keys - 1] ?? keys - 1}</span></div>
      ${isWeights(map) ? this.most(map, tensor, strips) : nothing}</figure>`;
  }

  private strip(map: LeftOut, tensor: Tensor, lead: number[], domain: Domain, many: boolean): unknown {
    const h = map.places.indexOf(HEAD);
    const at = h < 0 ? 0 : lead[h]!;
    const mask = this.maps.find(isMask);
    const hidden = mask && this.tensor(mask);
    const hides = hidden && hidden.row === tensor.row
      ? values(hidden, lead.slice(lead.length - hidden.shape.length + 2)) : undefined;
    const { selection } = this.store;
    const chosen = h < 0 || at === indexFor(map, h, selection.chosen);
    return html`<div class="strip">
      ${many ? html`<button class="head" aria-pressed=${chosen}
        @click=${() => selection.turn(map, h, at)}>${headNamed(map, at)}</button>` : nothing}
      <span class="ends" aria-hidden="true"><span>${short(domain[1])}</span>${
        domain[0] < 0 ? html`<span>0</span>` : nothing}<span>${short(domain[0])}</span></span>
      <ap-strip data-tensor=${map.name} .map=${map} .lead=${lead} .row=${tensor.row ?? 0}
        .values=${values(tensor, lead)} .hides=${hides}
        .domain=${domain} .w=${Math.max(60, this.width - 62)} .h=${many ? 34 : 84}></ap-strip></div>`;
  }

  private most(map: LeftOut, tensor: Tensor, strips: number[][]): unknown {
    const { store } = this;
    const h = map.places.indexOf(HEAD);
    const lead = strips.find((one) => h < 0 || one[h] === indexFor(map, h, store.selection.chosen)) ?? strips[0]!;
    const row = values(tensor, lead);
    return html`<div class="most"><span
      class="note">${strings.mapRow.most}</span>${largest(row, MOST_NAMED).map((key) => {
      const target = { group: map.group, tensor: map.name, index: [...lead, tensor.row ?? 0, key] };
      const name = store.sessions.result?.labels(map.places.at(-1) ?? '')?.[key] ?? String(key + 1);
      return html`<button class="link" aria-label=${`${inWords(store, target)}${strings.comma}${full(row[key]!)}`}
        @click=${() => store.selection.hold(target)}>${name} <b>${full(row[key]!)}</b></button>`;
    })}</div>`;
  }

  // A strip a head; of every other axis the slice that is chosen.
  private leads(map: LeftOut): number[][] {
    const h = map.places.indexOf(HEAD);
    const heads = h < 0 ? 1 : Math.min(MOST_HEADS, map.shape[h] ?? 1);
    return Array.from({ length: heads },
      (_, at) => map.shape.slice(0, -2)
      .map((size, k) => (k === h ? at : Math.min(size - 1, indexFor(map, k, this.store.selection.chosen)))));
  }

  // Weights from 0 to the row's largest, which at many keys is far from 1; scores as far down as up.
  private domain(tensor: Tensor): Domain {
    if (kindOf(tensor) === 'signed') return domainOf(tensor.data, 'signed');
    const most = tensor.data.reduce((a, b) => Math.max(a, b), 0);
    return [Math.min(0, domainOf(tensor.data, 'weights')[0]), most > 0 ? most : 1];
  }
}

const short = (value: number): string => (value !== 0 && Math.abs(value) < 0.01 ? full(value) : onLegend(value));

// The same array for the same row, so that what is drawn of it need not be drawn again.
const parts = new WeakMap<Float32Array, Map<string, Float32Array>>();

function values(tensor: Tensor, lead: number[]): Float32Array {
  const keys = tensor.shape.at(-1) ?? 1;
  const known = parts.get(tensor.data) ?? new Map<string, Float32Array>();
  parts.set(tensor.data, known);
  const name = lead.join();
  const at = lead.reduce((sum, place, k) => sum * (tensor.shape[k] ?? 1) + place, 0);
  const found = known.get(name) ?? tensor.data.subarray(at * keys, (at + 1) * keys);
  known.set(name, found);
  return found;
}

customElements.define('ap-map-row', MapRowElement);
