// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { type Domain, goesBelow } from '../colour/scale.ts';
import { heatOf } from '../elements/heat.ts';
import { drawHeat } from '../elements/heat-canvas.ts';
import { type Cell, keyed } from '../elements/pointing.ts';
import { mapOf, matrixOf } from '../elements/tensor.ts';
import '../flow/legend.ts';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { scrolled } from '../performance-marks.ts';
import { isolated } from '../strings/language.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { letterStyles } from './styles.ts';
import type { Study } from './study.ts';
import { words } from './words.ts';

const ZOOMS = [1, 4, 12] as const;
const GAP = 24;
const TALLEST = 420;
const FLOOR = 1e-9;
// From here on there is room for three windows side by side.
const WIDE = 660;

type Side = 'A' | 'difference' | 'B';

/** Maps of thousands of words: two windows that scroll together, and the cell under the pointer. */
export class TiledElement extends Part {
  @reactive study!: Study;
  @reactive width = 0;
  @reactive zoom = 4;
  /** The first row and column of the windows. */
  private at: Cell = [0, 0];

  static override styles = [letterStyles, css`
    :host { display: block; min-width: 0; }
    .maps { display: flex; flex-wrap: wrap; gap: var(--space-8) var(--space-12); }
    figcaption { display: flex; gap: var(--space-4); align-items: baseline; margin-bottom: var(--space-3);
      min-height: 24px; }
    .window { overflow: auto; direction: ltr; position: relative; border: 1px solid var(--line2);
      overscroll-behavior: contain; }
    .window:focus-visible { outline-offset: 3px; }
    .sheet { position: relative; }
    canvas { position: sticky; top: 0; left: 0; display: block; cursor: crosshair; }
    i { position: absolute; pointer-events: none; border: 1.5px solid var(--ink); box-sizing: content-box;
      translate: -1.5px -1.5px; }
    i.locked { border-width: 2.4px; translate: -2.4px -2.4px; outline: 1px solid var(--background); }
    figure ap-legend { display: block; margin-top: var(--space-3); }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-6); align-items: center;
      margin: var(--space-4) 0; }
    .row input { width: 84px; height: var(--press); }
    .cell { min-height: 24px; }
  `];

  constructor() {
    super();
    measured(this, (width) => (this.width = Math.floor(width)));
  }

  private get side(): { w: number; h: number } {
    const columns = this.width > WIDE ? 3 : this.width > 560 ? 2 : 1;
    const w = Math.max(120, Math.floor((this.width - (columns - 1) * GAP) / columns) - 2);
    return { w, h: Math.min(TALLEST, w) };
  }

  override render(): unknown {
    const { large } = this.study;
    if (!large || this.width === 0) return nothing;
    const { rows, keys } = large.given;
    const { w, h } = this.side;
    const number = (name: string, value: number, most: number, put: (next: number) => void) =>
      html`<label>${name} <input type="number" min="0" max=${most - 1} .value=${String(value)}
      @change=${(e: Event) => put(Math.min(most - 1,
      Math.max(0, Math.round(Number((e.target as HTMLInputElement).value) || 0))))} /></label>`;
    const [row, col] = this.study.spot.cell ?? this.at;
    return html`<div class="row"><label>${words().zoom} ${select(ZOOMS.map((zoom) => [zoom as number, `${zoom} px`]),
      this.zoom, (zoom) => this.zoomTo(zoom), { part: 'zoom' })}</label>
        ${number(words().row, row, rows, (next) => this.goTo([next, col]))}${
          number(words().column, col, keys, (next) => this.goTo([row, next]))}</div>
      <div class="maps">${this.sides.map((which) => html`<figure
        data-side=${which} ${place({ width: w + 2 })}><figcaption>${which === 'difference' ? nothing : html`<i
        class="side ${which}" ${place({ position: 'static', translate: 'none' })}>${which}</i>`}<b>${
        this.named(which)}</b></figcaption>
        <div class="window" tabindex="0" role="application" aria-roledescription=${words().map}
          aria-label="${this.named(which)}, ${rows} × ${keys}. ${words().mapHelp}"
          ${place({ width: w + 2, height: h + 2 })} @scroll=${this.follow} @keydown=${this.key}
          @pointermove=${this.move} @pointerleave=${() => this.study.spot.point(undefined)} @click=${this.press}
          @focus=${() => this.study.spot.point(this.study.spot.cell ?? this.at)}>
          <div class="sheet" ${place({ width: Math.max(w, keys * this.zoom),
            height: Math.max(h, rows * this.zoom) })}><canvas></canvas>${
            this.box(this.study.spot.locked, 'locked')}${this.box(this.study.spot.pointed, '')}</div></div>
        ${which === 'difference' ? html`<ap-legend .domain=${this.reach} .kind=${'signed'}
          .width=${Math.min(120, w - 20)}></ap-legend>` : nothing}
        ${which === 'B' && large.problem !== undefined
          ? html`<p class="error" role="alert">${withQuotes(quote(large.problem))}</p>` : nothing}
        ${which === 'A' && large.lost ? html`<p class="error" role="alert"
          data-part="lost">${endedIn(large.lost)}</p>` : nothing}</figure>`)}</div>
      <div class="row"><ap-legend .domain=${this.domain} .kind=${this.kind} .width=${120}></ap-legend><span
        class="note">${words().shared}</span><span class="cell" role="status"
        data-part="cell">${this.said()}</span></div>`;
  }

  // Both ways from zero as soon as a weight below it has come.
  private get kind(): 'weights' | 'signed' {
    const { most = 0, least = 0 } = this.study.large ?? {};
    return goesBelow(least, most) ? 'signed' : 'weights';
  }

  private get domain(): Domain {
    const { most = 0, least = 0 } = this.study.large ?? {};
    const reach = Math.max(FLOOR, most, -least);
    return [this.kind === 'signed' ? -reach : 0, reach];
  }

  // The difference stands between the two where there is room for three.
  private get sides(): readonly Side[] {
    return this.width > WIDE ? ['A', 'difference', 'B'] : ['A', 'B', 'difference'];
  }

  private named(which: Side): string {
    if (which === 'difference') return words().difference;
    return which === 'A' ? words().softmax : words().implied(this.study.form?.mechanism.title ?? '');
  }

  private get reach(): Domain {
    const gap = Math.max(FLOOR, this.study.large?.gap ?? 0);
    return [-gap, gap];
  }

  private said(): string {
    const { spot, large } = this.study;
    if (!spot.cell || !large) return words().cardIdle;
    const [row, col] = spot.cell;
    const shown = (value: number | undefined) => isolated(value === undefined ? '…' : full(value));
    return words().cellOf(isolated(String(row)), isolated(String(col)), shown(large.softmax(row, col)),
      shown(large.implied(row, col)));
  }

  private box(cell: Cell | undefined, kind: string): unknown {
    if (!cell) return nothing;
    const size = Math.max(7, this.zoom);
    return html`<i class=${kind} ${
      place({ left: (cell[1] + 0.5) * this.zoom - size / 2, top: (cell[0] + 0.5) * this.zoom - size / 2, width: size,
      height: size })}></i>`;
  }

  override updated(): void {
    void this.study.pieceCount;
    this.draw();
  }
  private drawn: readonly unknown[] = [];

  private windows(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.window')];
  }

  // Only what is in the windows is drawn; what is not here yet is hatched, and asked for.
  private draw(): void {
    const { large } = this.study;
    if (!large) return;
    const { w, h } = this.side;
    const [row, col] = this.at;
    const [rows, cols] = [Math.min(large.given.rows - row, Math.ceil(h / this.zoom)),
      Math.min(large.given.keys - col, Math.ceil(w / this.zoom))];
    if (rows < 1 || cols < 1) return;
    // Pointing moves a frame only: the pictures are the same.
    const now = [large, this.study.pieceCount, row, col, w, h, this.zoom, this.theme, large.most, large.least,
      large.gap, this.windows().length];
    if (now.every((part, k) => part === this.drawn[k])) return;
    this.drawn = now;
    const known = large.gap;
    this.windows().forEach((window, k) => {
      const canvas = window.querySelector('canvas')!;
      const which = this.sides[k]!;
      const apart = which === 'difference';
      const { data, here } = apart ? large.difference(row, col, rows, cols)
        : large.window(which, row, col, rows, cols);
      const [wide, high] = [cols * this.zoom, rows * this.zoom];
      canvas.style.width = `${wide}px`;
      canvas.style.height = `${high}px`;
      const kind = apart ? 'signed' : this.kind;
      drawHeat(canvas, wide, high, heatOf(kind === 'weights' ? mapOf(data, rows, cols) : matrixOf(data, rows, cols),
        { theme: this.theme, kind, domain: apart ? this.reach : this.domain,
        mask: matrixOf(here, rows, cols) }));
    });
    // Its legend tells the new scale.
    if (large.gap > known) this.requestUpdate();
  }

  private follow(event: Event): void {
    const from = event.currentTarget as HTMLElement;
    const next: Cell = [Math.floor(from.scrollTop / this.zoom), Math.floor(from.scrollLeft / this.zoom)];
    if (next[0] === this.at[0] && next[1] === this.at[1]) return;
    scrolled(() => {
      this.at = next;
      for (const other of this.windows()) {
        if (other !== from) other.scrollTo(from.scrollLeft, from.scrollTop);
      }
      this.draw();
    });
  }

  private zoomTo(zoom: number): void {
    const [row, col] = this.study.spot.cell ?? this.at;
    this.zoom = zoom;
    void this.updateComplete.then(() => this.reveal([row, col]));
  }

  private goTo(cell: Cell): void {
    this.study.spot.point(undefined);
    this.study.spot.hold(undefined);
    this.study.spot.hold(cell);
    this.reveal(cell);
  }

  // Scrolls as little as will do.
  private reveal([row, col]: Cell): void {
    const { w, h } = this.side;
    const [first] = this.windows();
    if (!first) return;
    const near = (at: number, cell: number, room: number) =>
      (cell * this.zoom < at || (cell + 1) * this.zoom > at + room ? Math.max(0, (cell + 0.5) * this.zoom - room / 2)
      : at);
    first.scrollTo(near(first.scrollLeft, col, w), near(first.scrollTop, row, h));
  }

  private cellAt(event: MouseEvent): Cell {
    const box = (event.currentTarget as HTMLElement).querySelector('.sheet')!.getBoundingClientRect();
    const { rows, keys } = this.study.large!.given;
    const at = (offset: number, most: number) => Math.min(most - 1, Math.max(0, Math.floor(offset / this.zoom)));
    return [at(event.clientY - box.top, rows), at(event.clientX - box.left, keys)];
  }

  private move(event: PointerEvent): void {
    if (event.pointerType !== 'touch') this.study.spot.point(this.cellAt(event));
  }

  private press(event: MouseEvent): void {
    this.study.spot.hold(this.cellAt(event));
  }

  private key(event: KeyboardEvent): void {
    const { spot, large } = this.study;
    const { rows, keys } = large!.given;
    keyed(event, { rows, cols: keys, at: spot.pointed ?? spot.cell ?? this.at, hold: (cell) => spot.hold(cell),
      release: () => spot.hold(undefined), point: (cell) => {
        spot.point(cell);
        this.reveal(cell);
      } });
  }
}
customElements.define('ap-tiled', TiledElement);
