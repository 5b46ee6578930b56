// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, svg } from 'lit';
import { maximum, minimum } from '../lists.ts';
import { upTo as plain } from '../colour/numbers.ts';
import { isolated } from '../strings/language.ts';
import { powers } from '../strings/numerals.ts';
import { type Domain, domainOf, goesBelow } from '../colour/scale.ts';
import { type Frame } from '../elements/heat-element.ts';
import '../elements/heat-element.ts';
import type { Cell } from '../elements/pointing.ts';
import { mapOf, matrixOf } from '../elements/tensor.ts';
import type { Plane } from '../engine/result.ts';
import '../flow/legend.ts';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { place } from '../styles/place.ts';
import { letterStyles } from './styles.ts';
import type { Maps, Study } from './study.ts';
import { words } from './words.ts';

const GAP = 26;
const BARS = 26;
// Room for the names of rows, on the left of the first map.
const NAMES = 52;
const ABOVE = 52;
const LARGEST = 460;
const FLOOR = 1e-9;
const ORIGIN: Cell = [0, 0];
const upTo = (value: number, places: number): string => isolated(plain(value, places));

/**
 * One scale for both maps, so that the same colour is the same number: up to the largest weight, and both ways from
 * zero where a weight is below it.
 */
export function scaleOf({ a, b }: Pick<Maps, 'a' | 'b'>): { kind: 'weights' | 'signed'; domain: Domain } {
  const [high, low] = [maximum(a, maximum(b, FLOOR)), minimum(a, minimum(b, 0))];
  const reach = Math.max(high, -low);
  return goesBelow(low, high) ? { kind: 'signed', domain: [-reach, reach] } : { kind: 'weights', domain: [0, high] };
}

/** Softmax, the difference, and the map that the form amounts to; of a form that is equal, one map and one line. */
export class ImpliedElement extends Part {
  @reactive study!: Study;
  @reactive width = 0;

  constructor() {
    super();
    measured(this, (width) => (this.width = width));
  }

  static override styles = [letterStyles, css`
    :host { display: block; min-width: 0; }
    /* Maps beside each other have one top and one bottom, whatever stands above and below them. */
    .maps { display: grid; column-gap: var(--space-12); }
    .maps figure { display: grid; grid-row: span 3; grid-template-rows: subgrid; margin-bottom: var(--space-8);
      grid-template-columns: minmax(0, 1fr); }
    figcaption { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); align-items: baseline;
      margin-bottom: var(--space-3); min-height: 36px; align-content: flex-end; }
    .head { display: flex; gap: var(--space-4); align-items: baseline; min-width: 0; }
    .head i { flex: none; }
    .picture { display: flex; align-items: end; gap: var(--space-2); direction: ltr; }
    ap-heat { --names: var(--text-mark); }
    .foot { display: flex; gap: var(--space-5); margin-top: var(--space-4); }
    .errors { display: block; }
    .errors rect { fill: var(--ink3); }
    .errors .most { fill: var(--ink); }
    .says { margin-top: var(--space-5); font-size: var(--text-read); line-height: var(--leading-read); }
    .says b { font-weight: 600; }
  `];

  override render(): unknown {
    const { study } = this;
    const { maps, form } = study;
    if (!maps || !form || this.width === 0) return nothing;
    const { kind: shares, domain } = scaleOf(maps);
    const { apart } = maps;
    const columns = apart.equal ? 1 : this.width > 720 ? 3 : this.width > 460 ? 2 : 1;
    const w = Math.floor(Math.min(LARGEST, (this.width - NAMES - (columns - 1) * GAP - BARS - 4) / columns));
    const h = Math.floor(Math.min(LARGEST, Math.max(80, (w * maps.rows) / maps.cols)));
    const { frames } = this;
    const names = { down: Array.from({ length: maps.rows }, (_, row) => this.named('row', row)),
      across: Array.from({ length: maps.cols }, (_, col) => this.named('col', col)), top: ABOVE };
    const first = apart.equal ? 'B' : 'A';
    // What begins a line of maps has the names of the rows, and the same room for them.
    const named = (letter: 'A' | 'B' | undefined) => letter === first || columns === 1
      || (columns === 2 && letter === undefined);
    const one = (letter: 'A' | 'B' | undefined, title: unknown, note: string, data: Float32Array, reach: Domain,
      kind: 'weights' | 'signed', name: string) =>
      html`<figure data-side=${letter
      ?? 'difference'} ${place({ width: w + (named(letter) ? NAMES : 0) + (letter ? 0 : BARS + 4) })}>
      <figcaption><span class="head">${letter ? html`<i class="side ${letter}">${letter}</i>`
        : nothing}<b>${title}</b></span> <span class="note">${note}</span></figcaption>
      <div class="picture"><ap-heat active .plane=${this.plane(data, maps, kind)} .mask=${maps.mask} .kind=${kind}
        .domain=${reach} ?fine=${kind === 'signed'} .w=${w} .h=${h} .label=${`${name}. ${words().mapHelp}`}
        .names=${{ ...names, down: named(letter) ? names.down : [], left: named(letter) ? NAMES : 0 }}
        .frames=${frames} .at=${study.spot.pointed ?? study.spot.cell ?? ORIGIN}
        @cell-point=${(e: CustomEvent<Cell | undefined>) => study.spot.point(e.detail)}
        @cell-hold=${(e: CustomEvent<Cell>) => study.spot.hold(e.detail)}
        @cell-release=${() => study.spot.hold(undefined)}></ap-heat>${letter ? nothing : this.errors(maps, h)}</div>
      <div class="foot"><ap-legend .domain=${reach} .kind=${kind}
        .width=${Math.max(60, Math.min(120, w - 120))}></ap-legend>${
        letter && !apart.equal ? html`<span class="note">${words().shared}</span>` : nothing}</div></figure>`;
    const dark = this.theme === 'dark';
    const a = one('A', words().softmax, words().sameQK, maps.a, domain, shares, words().softmax);
    const b = one('B', words().implied(form.mechanism.title), '', maps.b, domain, shares,
      words().implied(form.mechanism.title));
    const between = one(undefined, words().difference, dark ? words().warmDark : words().warm, apart.difference,
      domainOf(apart.difference, 'signed'), 'signed', words().difference);
    return html`<div class="maps" ${place({ 'grid-template-columns': `repeat(${columns}, max-content)` })}>${
      apart.equal ? b : columns === 3 ? [a, between, b] : [a, b, between]}</div>${this.says(maps)}`;
  }

  // The same numbers are the same plane, so that pointing paints nothing anew.
  private plane(data: Float32Array, { rows, cols }: Maps, kind: 'weights' | 'signed'): Plane {
    const known = this.planes.get(data);
    if (known?.rows === rows && known.cols === cols) return known;
    const made = kind === 'weights' ? mapOf(data, rows, cols) : matrixOf(data, rows, cols);
    this.planes.set(data, made);
    return made;
  }
  private readonly planes = new WeakMap<Float32Array, Plane>();

  private get frames(): Frame[] {
    const { locked, pointed } = this.study.spot;
    return [...(locked ? [{ cell: locked, is: 'locked' } as const] : []),
      ...(pointed ? [{ cell: pointed, is: 'pointed' } as const] : [])];
  }

  // Beside the difference, a bar a row.
  private errors({ rows, apart }: Maps, h: number): unknown {
    const most = Math.max(FLOOR, apart.rows[apart.worstRow] ?? 0);
    const each = h / rows;
    const drawn = Array.from({ length: rows }, (_, row) => row);
    return html`<svg class="errors" width=${BARS - 4} height=${h} role="img"
      aria-label=${words().rowErrors(this.named('row', apart.worstRow), upTo(most, 3))}>${
      drawn.map((row) => svg`<rect class=${row === apart.worstRow ? 'most' : ''} y=${row * each}
      width=${(apart.rows[row]! / most) * (BARS - 6)} height=${Math.max(0.6, each - (each > 3 ? 1 : 0))} />`)}</svg>`;
  }

  private named(which: 'row' | 'col', at: number): string {
    const { maps, result } = this.study;
    const shown = which === 'row' ? maps?.query : maps?.key;
    const labels = result?.labels(shown?.axis('row') ?? '');
    return labels?.[at] ?? String(at);
  }

  private says({ apart, contexts }: Maps): unknown {
    const { largest } = apart;
    const form = this.study.form!;
    if (apart.equal) return html`<p class="says" role="status" data-part="size"
      data-equal><b>${largest.value > 0 ? words().rounding(isolated(powers(largest.value, 1))) : words().equal}</b> ${
      // What equals softmax on a few words only, since it leaves out none of them, is no other way to compute it.
      form.mechanism.exact === true ? html`<span class="note">${words().exactRecord}</span>`
        : html`<span data-part="equal-here">${words().equalHere(form.mechanism.title)}</span>`}</p>`;
    const [mean, worst] = [upTo(apart.meanRow, 2), upTo(apart.rows[apart.worstRow]!, 2)];
    return html`<p class="says" role="status" data-part="size" data-largest=${largest.value} data-mean=${apart.mean}
      data-row=${apart.meanRow}><b>${apart.shares ? words().elsewhere(mean, worst) : words().halfApart(mean, worst)}</b>
      ${words().largestAndMean(upTo(largest.value, 3), this.named('row', largest.row), this.named('col', largest.col),
        upTo(apart.mean, 4))}</p>${contexts === undefined ? nothing : html`<p class="says" data-part="contexts"
        data-largest=${contexts.largest}>${words().contexts(upTo(contexts.largest, 3),
          this.named('row', contexts.row), upTo(contexts.mean, 4), upTo(contexts.size, 3))}</p>`}`;
  }
}
customElements.define('ap-implied', ImpliedElement);
