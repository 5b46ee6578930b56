// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Domain } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { paint } from '../flow/paint.ts';
import { Part } from '../part.ts';
import { place } from '../styles/place.ts';
import { base, palette } from '../styles/tokens.ts';
import type { Cell, Spot } from './spot.ts';
import { words } from './words.ts';

/** A map of up to some hundred rows as one picture: one tab stop, arrows move, Enter locks, Escape lets go. */
export class FieldElement extends Part {
  static override properties = {
    ...Part.properties, data: { attribute: false }, rows: { type: Number }, cols: { type: Number }, kind: {},
    domain: { attribute: false }, mask: { attribute: false }, w: { type: Number }, h: { type: Number },
    spot: { attribute: false }, name: {},
  };
  declare data: Float32Array;
  declare rows: number;
  declare cols: number;
  declare kind: 'weights' | 'signed';
  declare domain: Domain;
  declare mask: Plane | undefined;
  declare w: number;
  declare h: number;
  declare spot: Spot;
  declare name: string;
  private painted: unknown[] = [];

  static override styles = [
    base,
    css`
      :host { display: block; position: relative; touch-action: pan-x pan-y; direction: ltr; }
      .stop { position: absolute; inset: 0; cursor: crosshair; }
      .stop:focus-visible { outline-offset: 3px; }
      canvas { display: block; width: 100%; height: 100%; pointer-events: none; }
      i { position: absolute; pointer-events: none; box-sizing: content-box; border: 1.5px solid var(--ink);
        translate: -1.5px -1.5px; }
      i.locked { border-width: 2.4px; translate: -2.4px -2.4px; outline: 1px solid var(--background); }
    `,
  ];

  override render(): unknown {
    const { spot } = this;
    return html`<div class="stop" tabindex="0" role="application" aria-roledescription=${words().map}
      aria-label="${this.name}, ${this.rows} × ${this.cols}. ${words().mapHelp}"
        @pointermove=${this.move} @pointerleave=${() => spot.point(undefined)} @click=${this.press} @keydown=${this.key}
        @focus=${() => spot.point(spot.cell ?? [0, 0])} @blur=${() => spot.point(undefined)}><canvas></canvas></div>
      ${this.box(spot.locked, 'locked')}${this.box(spot.pointed, '')}`;
  }

  private box(cell: Cell | undefined, kind: string): unknown {
    if (!cell || cell[0] >= this.rows || cell[1] >= this.cols) return nothing;
    const [cw, ch] = [this.w / this.cols, this.h / this.rows];
    // A cell smaller than the eye finds gets a larger frame around it.
    const [width, height] = [Math.max(7, cw), Math.max(7, ch)];
    return html`<i class=${kind} ${
      place({ left: (cell[1] + 0.5) * cw - width / 2, top: (cell[0] + 0.5) * ch - height / 2, width, height })}></i>`;
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('w')) this.style.width = `${this.w}px`;
    if (changed.has('h')) this.style.height = `${this.h}px`;
    const canvas = this.renderRoot.querySelector('canvas');
    const { data, rows, cols, kind, domain, mask } = this;
    const looks = [data, rows, cols, kind, domain.join(), mask?.tensor.data, this.w, this.h, this.theme,
      devicePixelRatio];
    // Pointing moves the frames alone.
    if (!canvas || looks.every((one, k) => one === this.painted[k])) return;
    this.painted = looks;
    paint(canvas, this.w, this.h, {
      rows, cols, kind, domain, theme: this.theme, paper: palette[this.theme], fine: kind === 'signed',
      at: (i, j) => data[i * cols + j]!, field: { data, start: 0, down: cols, across: 1 },
      ...(mask ? { masked: (i: number, j: number) => mask.at(mask.rows === 1 ? 0 : i, j) === 0,
      hides: { data: mask.tensor.data, start: mask.start, down: mask.rows === 1 ? 0 : mask.down, across: mask.across } }
      : {}),
    });
  }

  private cellAt(event: MouseEvent): Cell {
    const box = this.getBoundingClientRect();
    const at = (share: number, of: number) => Math.min(of - 1, Math.max(0, Math.floor(share * of)));
    return [at((event.clientY - box.top) / box.height, this.rows),
      at((event.clientX - box.left) / box.width, this.cols)];
  }

  private move(event: PointerEvent): void {
    if (event.pointerType !== 'touch') this.spot.point(this.cellAt(event));
  }

  private press(event: MouseEvent): void {
    this.spot.hold(this.cellAt(event));
  }

  private key(event: KeyboardEvent): void {
    const [row, col] = this.spot.pointed ?? this.spot.cell ?? [0, 0];
    const steps: Record<string, Cell> = {
      ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      PageUp: [row - 32, col], PageDown: [row + 32, col], Home: [row, 0], End: [row, this.cols - 1],
    };
    const step = steps[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) this.spot.point([Math.min(this.rows - 1, Math.max(0, step[0])),
      Math.min(this.cols - 1, Math.max(0, step[1]))]);
    else if (event.key === 'Enter') this.spot.hold([row, col]);
    else if (event.key === 'Escape') this.spot.hold(undefined);
    else return;
    event.preventDefault();
  }
}
customElements.define('ap-field', FieldElement);
