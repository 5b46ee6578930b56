// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, svg } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { paint } from '../flow/paint.ts';
import type { Plane } from '../engine/result.ts';
import { Part } from '../part.ts';
import { place } from '../styles/place.ts';
import { base, palette } from '../styles/tokens.ts';
import { type Cell, Desk, type Side } from './desk.ts';
import { words } from './words.ts';

const LABELS = 84;
const ABOVE = 62;
const MOST_CELL = 46;

/** One head enlarged: labels, numbers, the row of the locked weight; one tab stop, arrows inside. */
export class LargeHeadElement extends Part {
  static override properties = { ...Part.properties, side: { type: Number }, width: { type: Number },
    at: { state: true } };
  declare side: Side;
  declare width: number;
  declare at: [number, number];

  static override styles = [base, css`
    :host { display: block; direction: ltr; }
    .map { position: relative; }
    canvas, .marks { position: absolute; display: block; }
    .marks { pointer-events: none; overflow: visible; }
    .stop { position: absolute; cursor: pointer; touch-action: pan-x pan-y; }
    text { font-size: var(--text); fill: var(--ink); }
    text.query { fill: var(--query); font-weight: 600; }
    text.key { fill: var(--key); font-weight: 600; }
    .row { fill: none; stroke: var(--weight); stroke-width: 2; }
    .cell { fill: none; stroke: var(--ink); stroke-width: 2; }
    .away { stroke-dasharray: 3 2; }
  `];

  constructor() {
    super();
    this.at = [0, 0];
  }

  private get desk(): Desk {
    return Desk.of(this.store);
  }

  private get plane(): Plane | undefined {
    const [layer, head] = this.desk.head;
    return this.desk.plane(this.side, layer, head);
  }

  private size(shown: Plane): number {
    return Math.max(8, Math.min(MOST_CELL, Math.floor((this.width - LABELS) / Math.max(1, shown.cols))));
  }

  override render(): unknown {
    const shown = this.plane;
    void this.theme;
    if (!shown) return nothing;
    const pieces = this.desk.pieces(this.side);
    const unit = this.size(shown);
    const high = Math.max(10, Math.min(unit, 32));
    const [w, h] = [unit * shown.cols, high * shown.rows];
    const { cell } = this.desk;
    const own = cell?.side === this.side ? cell : undefined;
    const [layer, head] = this.desk.head;
    const label = (k: number) => pieces[k] ?? '';
    return html`<div class="map" ${place({ width: LABELS + w + 40, height: ABOVE + h })}>
      <canvas aria-hidden="true" ${place({ left: LABELS, top: ABOVE, width: w, height: h })}></canvas>
      <svg class="marks" width=${LABELS + w + 40} height=${ABOVE + h} aria-hidden="true">
        ${Array.from({ length: shown.rows }, (_, i) => svg`<text class=${own?.row === i ? 'query' : ''}
          x=${LABELS - 8} y=${ABOVE + (i + 0.5) * high + 4} text-anchor="end">${label(i)}</text>`)}
        ${Array.from({ length: shown.cols }, (_, j) => svg`<text class=${own?.col === j ? 'key' : ''}
          transform="translate(${LABELS + (j + 0.5) * unit} ${ABOVE - 6}) rotate(-45)">${label(j)}</text>`)}
        ${own ? svg`<rect class="row ${this.desk.pointed.value ? 'away' : ''}" x=${LABELS} y=${ABOVE + own.row * high}
          width=${w} height=${high}></rect>
          <rect class="cell" x=${LABELS + own.col * unit} y=${ABOVE + own.row * high} width=${unit}
          height=${high}></rect>` : nothing}</svg>
      <div class="stop" tabindex="0" role="application" data-side=${this.side}
        aria-label="${words().sentence(this.side + 1)}. ${words().mapSays(layer + 1, head + 1, shown.rows)}"
        aria-description=${own ? this.says(shown, own) : nothing}
        ${place({ left: LABELS, top: ABOVE, width: w, height: h })}
        @pointermove=${(e: PointerEvent) => this.point(e, shown)} @pointerleave=${() =>
          (this.desk.pointed.value = undefined)}
        @click=${(e: PointerEvent) => this.press(e, shown)} @keydown=${(e: KeyboardEvent) => this.key(e, shown)}
        @focus=${() => (this.desk.side.value = this.side)}></div>
      <span class="unseen" role="status">${own && this.desk.side.value === this.side ? this.says(shown, own)
        : nothing}</span></div>`;
  }

  override updated(): void {
    const [shown, canvas] = [this.plane, this.renderRoot.querySelector('canvas')];
    if (!shown || !canvas) return;
    const unit = this.size(shown);
    const high = Math.max(10, Math.min(unit, 32));
    const { start, down, across } = shown;
    paint(canvas, unit * shown.cols, high * shown.rows, {
      rows: shown.rows, cols: shown.cols, at: (i, j) => shown.at(i, j), kind: 'weights', domain: [0, 1],
      field: { data: shown.tensor.data, start, down, across }, theme: this.theme, paper: palette[this.theme],
    });
  }

  private says(shown: Plane, { row, col }: Cell): string {
    const pieces = this.desk.pieces(this.side);
    const value = shown.at(row, col);
    let most = true;
    for (let j = 0; j < shown.cols; j++) most &&= shown.at(row, j) <= value;
    return `${words().cellSays(pieces[row] ?? '', pieces[col] ?? '', inCell(value, true))}${
      most ? `, ${words().largest}` : ''}`;
  }

  private cellAt(event: PointerEvent, shown: Plane): Cell | undefined {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * shown.rows);
    const col = Math.floor(((event.clientX - box.left) / box.width) * shown.cols);
    return row >= 0 && col >= 0 && row < shown.rows && col < shown.cols ? { side: this.side, row, col } : undefined;
  }

  private point(event: PointerEvent, shown: Plane): void {
    const now = this.cellAt(event, shown);
    const before = this.desk.pointed.peek();
    if (now?.row !== before?.row || now?.col !== before?.col || now?.side !== before?.side)
      this.desk.pointed.value = now;
  }

  private press(event: PointerEvent, shown: Plane): void {
    const cell = this.cellAt(event, shown);
    if (!cell) return;
    this.at = [cell.row, cell.col];
    this.lock(cell);
  }

  private lock(cell: Cell): void {
    const { locked } = this.desk;
    const same = locked.value?.side === cell.side && locked.value.row === cell.row && locked.value.col === cell.col;
    locked.value = same ? undefined : cell;
    this.desk.side.value = cell.side;
  }

  private key(event: KeyboardEvent, shown: Plane): void {
    const step: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
      ArrowRight: [0, 1] };
    const [row, col] = this.at;
    const by = step[event.key];
    if (by) {
      this.at = [Math.min(shown.rows - 1, Math.max(0, row + by[0])),
        Math.min(shown.cols - 1, Math.max(0, col + by[1]))];
      this.desk.pointed.value = { side: this.side, row: this.at[0], col: this.at[1] };
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.lock({ side: this.side, row: Math.min(row, shown.rows - 1), col: Math.min(col, shown.cols - 1) });
    } else if (event.key === 'Escape') {
      this.desk.pointed.value = this.desk.locked.value = undefined;
    } else return;
    event.preventDefault();
  }
}
customElements.define('ap-large-head', LargeHeadElement);
