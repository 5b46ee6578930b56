// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Domain, Kind } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { InSight } from '../in-sight.ts';
import { maximum } from '../lists.ts';
import { Part, property, reactive } from '../part.ts';
import { language } from '../strings/language.ts';
import { place } from '../styles/place.ts';
import { heatOf } from './heat.ts';
import { drawHeat } from './heat-canvas.ts';
import { LINE, namesWithRoom } from './labels.ts';
import { type Cell, cellUnder, keyed } from './pointing.ts';

/** A frame around a cell, or around its row. */
export interface Frame {
  cell: Cell;
  /** A row's frame runs along all its cells. */
  is: 'pointed' | 'locked' | 'solid' | 'dashed' | 'filled' | 'row';
}

/** The names along a plane's two axes. */
export interface Names {
  down: readonly string[];
  across: readonly string[];
  /** Their room in CSS pixels, where something beside the map is to be in line with it. */
  left?: number;
  top?: number;
  /** What the last slanted name takes beyond the cells. */
  right?: number;
}

// About the width of a letter, what a slanted one rises, and the most that names get.
const [LETTER, RISE] = [7.4, 5.4];
const [LEFT, TOP] = [96, 84];
// A frame is no smaller than what the eye finds.
const SEEN = 7;

/**
 * A heat map. With a label it is read aloud as a picture; with `active` it is one tab stop: arrows move, Enter keeps a
 * cell and Escape lets it go. It tells of this by events, `cell-point`, `cell-hold` and `cell-release`.
 */
export class HeatElement extends Part {
  @reactive plane!: Plane;
  @reactive mask: Plane | undefined;
  /** The scale and its ends, where the tensor's types do not say them. */
  @property() kind: Kind | undefined;
  @reactive domain: Domain | undefined;
  /** The size of the cells together, in CSS pixels. */
  @property({ type: Number }) w!: number;
  @property({ type: Number }) h!: number;
  @property() label: string | undefined;
  @property({ type: Boolean }) active = false;
  /** Where the keyboard is. */
  @reactive at: Cell = [0, 0];
  @reactive names: Names | undefined;
  @reactive frames: readonly Frame[] = [];
  /** A cell in words, for whoever points at it. */
  @reactive says: ((row: number, col: number) => string) | undefined;
  @property({ type: Boolean }) empty = false;
  @property({ type: Boolean }) fine = false;
  /** The size of the numbers; 0: none are written. */
  @property({ type: Number }) type: number | undefined;
  @reactive told = '';
  private drawn: unknown[] = [];
  private readonly sight = new InSight(this, () => this.paint());

  static override styles = css`
    :host { display: block; position: relative; direction: ltr; touch-action: pan-x pan-y; }
    .picture { position: relative; }
    .stop { position: absolute; inset: 0; cursor: crosshair; }
    .stop:focus-visible { outline-offset: 3px; }
    canvas { display: block; width: 100%; height: 100%; pointer-events: none; }
    .names { font-size: var(--names, var(--text)); }
    .names span { position: absolute; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .down span { right: 100%; padding-right: var(--space-3); translate: 0 -50%; text-align: right; }
    .across span { bottom: 100%; transform-origin: 0 100%; transform: rotate(-45deg); }
    .down .here { color: var(--query); font-weight: 600; }
    .across .here { color: var(--key); font-weight: 600; }
    .frame { position: absolute; pointer-events: none; box-sizing: border-box; border: 1.5px solid var(--ink); }
    .frame.locked { border-width: 2.4px; outline: 1px solid var(--background); }
    .frame.solid { border: var(--frame, 2px) solid var(--framed, var(--ink)); }
    .frame.dashed { border: var(--frame, 2px) dashed var(--framed, var(--ink)); }
    .frame.filled { border: 0; background: var(--framed, var(--ink)); }
    .frame.row { border-color: var(--weight); }
    .frame.solid, .frame.dashed { outline: 1px solid var(--background); }
  `;

  /** The room that names take on the left and above. */
  private get room(): { left: number; top: number } {
    const { names } = this;
    const longest = (list: readonly string[]) => maximum(list.map((name) => [...name].length), 2);
    return names ? { left: names.left ?? Math.min(LEFT, longest(names.down) * LETTER + 12),
      top: names.top ?? Math.min(TOP, longest(names.across) * RISE + 16) } : { left: 0, top: 0 };
  }

  override render(): unknown {
    const { plane, w, h, label, frames } = this;
    void this.theme;
    const { left, top } = this.room;
    const marks = frames.map((frame) => this.frame(frame));
    const board = this.active
      ? html`<div class="stop" tabindex="0" role="application" aria-label=${`${label ?? ''}, ${plane.rows} × ${
        plane.cols}`} @pointermove=${this.move} @pointerleave=${() => this.tell('cell-point', undefined)}
        @click=${this.press} @keydown=${this.key} @focus=${() => this.point(this.at)}
        @blur=${() => this.tell('cell-point', undefined)}><canvas></canvas>${marks}</div><span class="unseen"
        role="status">${this.told}</span>`
      : html`<canvas role=${label ? 'img' : nothing} aria-label=${label ?? nothing}
        aria-hidden=${label ? nothing : 'true'}></canvas>${marks}`;
    return html`<div class="picture" @pointermove=${this.entitle}
      ${place({ width: w, height: h, 'margin-left': left, 'margin-top': top,
      'margin-right': this.names?.right })}>${
      this.names ? this.named(this.names, left, top) : nothing}${board}</div>`;
  }

  private named({ down, across }: Names, left: number, top: number): unknown {
    const [ch, cw] = [this.h / this.plane.rows, this.w / this.plane.cols];
    const here = this.frames.find(({ is }) => is === 'locked' || is === 'pointed')?.cell;
    return html`<div class="names down" aria-hidden="true">${namesWithRoom(down.length, ch, here?.[0], LINE)
      .map((i) => html`<span class=${here?.[0] === i ? 'here' : ''} ${place({ top: (i + 0.5) * ch,
        'max-width': left })}>${down[i]}</span>`)}</div>
      <div class="names across" aria-hidden="true">${namesWithRoom(across.length, cw, here?.[1])
      .map((j) => html`<span class=${here?.[1] === j ? 'here' : ''} ${place({ left: (j + 0.5) * cw,
        'max-width': (top - 4) * Math.SQRT2 })}>${across[j]}</span>`)}</div>`;
  }

  private frame({ cell: [row, col], is }: Frame): unknown {
    const { plane: { rows, cols }, w, h } = this;
    if (row >= rows || col >= cols) return nothing;
    const [width, height] = [Math.max(SEEN, w / cols), Math.max(SEEN, h / rows)];
    return html`<i class="frame ${is}" ${place({ left: is === 'row' ? 0 : ((col + 0.5) * w) / cols - width / 2,
      top: ((row + 0.5) * h) / rows - height / 2, width: is === 'row' ? w : width, height })}></i>`;
  }

  override updated(): void {
    this.sight.ask();
  }

  private paint(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const { plane, mask, kind, domain, w, h, theme, empty, fine, type } = this;
    // Another canvas is still empty, and another language writes the numbers differently.
    const looks = [canvas, language(), plane.tensor.data, plane.held.join(), plane.rows, plane.cols, mask?.tensor.data,
      mask?.held.join(), kind, domain?.join(), w, h, theme, empty, fine, type, devicePixelRatio];
    // Pointing moves the frames alone.
    if (!canvas || looks.every((one, k) => one === this.drawn[k])) return;
    this.drawn = looks;
    drawHeat(canvas, w, h, heatOf(plane, { theme, kind, domain, mask, empty, fine, type }));
  }

  /** Its tab stop. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.stop')?.focus();
  }

  private tell(name: 'cell-point' | 'cell-hold' | 'cell-release', detail: Cell | undefined): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private point(cell: Cell): void {
    this.at = [Math.min(cell[0], this.plane.rows - 1), Math.min(cell[1], this.plane.cols - 1)];
    this.told = this.says?.(...this.at) ?? '';
    this.tell('cell-point', this.at);
  }

  private readonly move = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    this.tell('cell-point', cellUnder(event, (event.currentTarget as HTMLElement).getBoundingClientRect(), this.plane));
  };

  private readonly entitle = (event: PointerEvent) => {
    const picture = event.currentTarget as HTMLElement;
    const cell = this.says && cellUnder(event, picture.getBoundingClientRect(), this.plane);
    picture.title = cell ? this.says!(...cell) : '';
  };

  private readonly press = (event: MouseEvent) => {
    const cell = cellUnder(event, (event.currentTarget as HTMLElement).getBoundingClientRect(), this.plane);
    if (!cell) return;
    this.at = cell;
    this.tell('cell-hold', cell);
  };

  private readonly key = (event: KeyboardEvent) => {
    const { rows, cols } = this.plane;
    keyed(event, { rows, cols, at: this.at, point: (cell) => this.point(cell),
      hold: (cell) => this.tell('cell-hold', cell), release: () => this.tell('cell-release', undefined) });
  };
}
customElements.define('ap-heat', HeatElement);
