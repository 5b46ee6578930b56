// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { css, html, nothing } from 'lit';
import { full, inCell } from '../colour/numbers.ts';
import { largest } from '../row/bins.ts';
import { Part, reactive } from '../part.ts';
import { place } from '../styles/place.ts';
import { icons } from '../styles/icons.ts';
import { letterStyles } from './styles.ts';
import type { LargeMaps } from './large.ts';
import { scoreOf } from './softmax.ts';
import type { Maps, Study } from './study.ts';
import { scoreAt } from './tiles.ts';
import { words } from './words.ts';
import { inFormula } from '../strings/numerals.ts';

const BARS = 7;
const TALL = 74;
const FLOOR = 1e-9;
// Below this two places say nothing.
const SMALL = 5e-3;

/** The cell that is pointed at or locked: in softmax, in the form, and what lies between. */
export class FormCardElement extends Part {
  @reactive study!: Study;

  static override styles = [letterStyles, css`
    :host { display: block; padding: var(--space-6) var(--space-8) var(--space-12); }
    header { display: flex; gap: var(--space-4); align-items: center; min-height: 28px; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); flex: 1; overflow-wrap: anywhere; }
    h3 { font-weight: 600; margin-bottom: var(--space-3); }
    section { border-top: 1px solid var(--line); padding: var(--space-6) 0; }
    dl { display: grid; grid-template-columns: auto 1fr auto; gap: var(--space-3) var(--space-4);
      align-items: center; padding-bottom: var(--space-6); }
    dl dd { font-size: var(--text-figure); font-weight: 600; color: var(--weight); text-align: end; }
    dl dd.gap { font-size: var(--text-read); color: var(--ink); }
    .bars { display: flex; gap: var(--space-3); direction: ltr; align-items: flex-end; }
    .bars li { flex: 1; min-width: 0; text-align: center; font-size: var(--text-mark);
      line-height: var(--leading-mark); }
    .bars .pair { display: flex; gap: var(--space-1); justify-content: center; align-items: flex-end; height: 92px;
    border-bottom: 1px solid var(--line2); }
    .bars i { position: relative; width: 14px; border: 1.5px solid var(--weight); }
    .bars i.A { background: var(--weight); }
    .bars i span { position: absolute; bottom: 100%; left: -6px; right: -6px; font-style: normal;
      font-size: var(--text-mark); line-height: var(--leading-mark); color: var(--ink2); }
    .bars .here { color: var(--key); font-weight: 600; }
    .bars .name { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    p { margin-bottom: var(--space-3); }
  `];

  override render(): unknown {
    const { maps, large, spot } = this.study;
    const { cell } = spot;
    const how = html`<section><h3>${words().how}</h3><p class="quiet">${words().howText}</p>
        ${maps && spot.locked && this.study.many === undefined
          // Of a cell that is only pointed at it would go at the moment in which it is reached.
          ? html`<button class="link" @click=${() => this.see(...spot.locked!)}>${words().seeIt}</button>`
          : nothing}</section>`;
    if (!maps && !large) return how;
    return html`<header><h2>${words().cardTitle} ${
      cell ? html`<em><span class="query">${this.named(maps, 'row', cell[0])}</span> → <span
      class="key">${this.named(maps, 'col', cell[1])}</span></em>` : nothing}</h2>
        ${spot.locked ? html`<span class="note">${icons.lock}</span><span class="note">${words().locked}</span><button
          class="icon" aria-label=${words().unlock} @click=${() => spot.hold(undefined)}>${icons.close}</button>`
          : nothing}</header>
      <div role="status">${cell ? this.told(cell[0], cell[1]) : html`<p class="quiet">${words().cardIdle}</p>`}</div>
      ${cell ? (maps ? this.row(maps, cell[0], cell[1]) : this.largeRow(large!, cell[0], cell[1])) : nothing}
      ${how}`;
  }

  private named(maps: Maps | undefined, which: 'row' | 'col', at: number): string {
    if (!maps) return String(at);
    const shown = which === 'row' ? maps.query : maps.key;
    return this.study.result?.labels(shown.axis('row') ?? '')?.[at] ?? String(at);
  }

  private told(row: number, col: number): unknown {
    const { maps, large } = this.study;
    return maps ? this.ofMaps(maps, row, col) : this.ofLarge(large!, row, col);
  }

  private ofMaps(maps: Maps, row: number, col: number): unknown {
    if (row >= maps.rows || col >= maps.cols) return nothing;
    const [a, b] = [maps.a, maps.b].map((data) => data[row * maps.cols + col]!) as [number, number];
    return this.values(a, b, scoreOf(maps.query, maps.key, row, col));
  }

  private ofLarge(large: LargeMaps, row: number, col: number): unknown {
    const { rows, keys, causal } = large.given;
    if (row >= rows || col >= keys) return nothing;
    if (causal && col > row) return this.values(0, large.implied(row, col), undefined);
    return this.values(large.softmax(row, col), large.implied(row, col), scoreAt(large.given, row, col));
  }

  // What is still to come stands as an ellipsis.
  private values(a: number | undefined, b: number | undefined, score: number | undefined): unknown {
    const gap = a === undefined || b === undefined ? undefined : b - a;
    const shown = (value: number | undefined) => (value === undefined ? '…' : full(value));
    return html`<dl data-part="cell" data-a=${a ?? nothing}
      data-b=${b ?? nothing}><dt class="side A">A</dt><dt>${words().softmax}</dt><dd>${shown(a)}</dd>
        <dt class="side B">B</dt><dt>${this.study.form?.mechanism.title}, ${words().impliedShort}</dt><dd>${
          shown(b)}</dd>
        <dt></dt><dt>${words().difference}</dt><dd class="gap"><bdi>${
          (gap ?? 0) > 0 ? '+' : ''}${shown(gap)}</bdi></dd></dl>
      ${score === undefined ? nothing : html`<section><h3>${words().before}</h3><p><i class="side A">A</i> <ap-math
        class="plain" .latex=${`e^{q k^{\\top} / \\sqrt{p}} = e^{${inFormula(full(score))}}`}></ap-math> = ${
        full(Math.exp(score))}</p></section>`}`;
  }

  // The largest keys of softmax, and what the form gives them where its columns are here.
  private largeRow(large: LargeMaps, row: number, col: number): unknown {
    const heaviest = large.heaviest(row);
    if (!heaviest) return nothing;
    const keys = heaviest.map(({ col: key, weight }) =>
      ({ key, name: this.named(undefined, 'col', key), a: weight, b: large.implied(row, key) }));
    return this.bars(this.named(undefined, 'row', row), keys, col, words().largestOfA);
  }

  private row(maps: Maps, row: number, col: number): unknown {
    if (row >= maps.rows) return nothing;
    const own = (data: Float32Array) => data.subarray(row * maps.cols, (row + 1) * maps.cols);
    const [a, b] = [own(maps.a), own(maps.b)];
    const keys = [...new Set([...largest(a, BARS), ...largest(b, BARS)])].toSorted((i, j) =>
      Math.max(a[j]!, b[j]!) - Math.max(a[i]!, b[i]!)).slice(0, BARS);
    const bars = keys.map((key) => ({ key, name: this.named(maps, 'col', key), a: a[key]!, b: b[key] }));
    return this.bars(this.named(maps, 'row', row), bars, col);
  }

  private bars(row: string, keys: readonly { key: number; name: string; a: number; b: number | undefined }[],
    col: number, note?: string): unknown {
    const most = maximum(keys.flatMap(({ a, b }) => [a, b ?? 0]), FLOOR);
    const number = (value: number) => (value !== 0 && Math.abs(value) < SMALL ? full(value) : inCell(value, true));
    const bar = (value: number | undefined, side: string) => (value === undefined ? nothing
      : html`<i class=${side} ${place({ height: `${Math.max(1, (Math.max(0, value) / most) * TALL)}px` })}><span>${
      number(value)}</span></i>`);
    return html`<section><h3>${words().rowOf(row)}</h3>
      ${note === undefined ? nothing : html`<p class="quiet">${note}</p>`}
      <ol class="bars" aria-label=${words().rowOf(row)}>${keys.map(({ key, name, a, b }) => html`<li
        class=${key === col ? 'here' : ''}><span class="pair">${bar(a, 'A')}${bar(b, 'B')}</span><span
        class="name">${name}</span></li>`)}</ol></section>`;
  }

  // The engine explains the cell where the document's numbers stand.
  private see(row: number, col: number): void {
    const map = this.study.given?.map;
    if (!map) return;
    const { chosen } = this.store.selection;
    const lead = map.shape.slice(0, -2).map((size, k) => Math.min(size - 1, chosen[map.places[k] ?? ''] ?? 0));
    this.store.selection.hold({ group: map.group, tensor: map.name, index: [...lead, row, col] });
    this.store.view.show({ place: 'look' });
  }
}
customElements.define('ap-form-card', FormCardElement);
