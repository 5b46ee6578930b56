// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { full, onLegend } from '../colour/numbers.ts';
import type { Domain } from '../colour/scale.ts';
import { naming } from '../directory/naming.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { palette } from '../styles/tokens.ts';
import { ends, inMap, type LeftOut, tallest } from './bins.ts';

/** One row of a large map over its keys: bars on a scale of the row's own; points, locks and steps like a matrix. */
export class StripElement extends Part {
  @reactive map!: LeftOut;
  /** The places on the axes before query and key, such as the head. */
  @reactive lead!: number[];
  @property({ type: Number }) row!: number;
  @reactive values!: Float32Array;
  @reactive hides: Float32Array | undefined;
  @reactive domain!: Domain;
  @property({ type: Number }) w!: number;
  @property({ type: Number }) h!: number;
  private at = 0;
  private drawn: unknown[] = [];
  private keys: Uint32Array = new Uint32Array();

  static override styles = css`
    :host { display: block; position: relative; touch-action: pan-y; }
    .stop { cursor: pointer; position: relative; }
    .stop:focus-visible { outline-offset: 3px; }
    canvas { display: block; width: 100%; height: 100%; pointer-events: none; }
    .mark { position: absolute; top: -3px; bottom: -3px; border-inline-start: 1.5px solid var(--key);
    pointer-events: none; }
    .mark.locked { border-inline-start-width: 2.4px; border-color: var(--ink); }
  `;

  override render(): unknown {
    const { store, map } = this;
    const locked = this.here(store.selection.lock);
    const hovered = this.here(store.selection.hover);
    const mark = (key: number | undefined, name: string) =>
      key === undefined ? '' : html`<i
      class="mark ${name}" ${place({ left: ((key + 0.5) * this.w) / this.values.length })}></i>`;
    return html`<div class="stop" tabindex="0" role="application" aria-roledescription=${strings.matrixRole}
        aria-label="${naming(map).title}, 1 × ${this.values.length}, ${onLegend(this.domain[0])} – ${
          full(this.domain[1])}. ${strings.mapRow.help}"
        ${place({ width: this.w, height: this.h })}
        @pointermove=${(e: PointerEvent) => e.pointerType !== 'touch' && store.selection.point(this.under(e))}
        @pointerleave=${() => store.selection.point(undefined)}
        @click=${this.press} @keydown=${this.key} @focus=${() => this.go(locked ?? this.at)}
        @blur=${() => store.selection.point(undefined)}><canvas></canvas></div>
      ${mark(locked, 'locked')}${mark(hovered, '')}`;
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const look = [this.values, this.hides, this.domain.join(), this.w, this.h, this.theme, devicePixelRatio];
    if (!canvas || look.every((part, k) => part === this.drawn[k])) return;
    this.drawn = look;
    const ratio = Math.min(3, devicePixelRatio || 1);
    canvas.width = Math.round(this.w * ratio);
    canvas.height = Math.round(this.h * ratio);
    const to = canvas.getContext('2d');
    to?.scale(ratio, ratio);
    if (to) this.paint(to);
  }

  private paint(to: CanvasRenderingContext2D): void {
    const { w, h, values, hides, domain: [low, high] } = this;
    const paper = palette[this.theme];
    const { role } = naming(this.map);
    const columns = Math.max(1, Math.min(Math.floor(w), values.length));
    this.keys = tallest(values, columns);
    const wide = w / columns;
    const y = (value: number) => h - ((value - low) / (high - low || 1)) * h;
    const colour = role === 'ink' ? paper.ink2 : paper[role];
    for (let x = 0; x < columns; x++) {
      const key = this.keys[x]!;
      const value = values[key]!;
      to.fillStyle = hides?.[key] === 0 ? paper.hatch : colour;
      if (hides?.[key] === 0) to.fillRect(x * wide, 0, wide, h);
      else if (value !== 0) {
        // From the lowest to the highest of the keys that share this point.
        const [bottom, top] = ends(values, x, columns);
        to.fillRect(x * wide, y(top), Math.max(0.75, wide - (wide > 3 ? 1 : 0)), Math.max(0.75, y(bottom) - y(top)));
      }
    }
    to.fillStyle = paper.line2;
    to.fillRect(0, Math.min(h - 1, y(0)), w, 1);
  }

  private target(key: number) {
    return { group: this.map.group, tensor: this.map.name, index: [...this.lead, this.row, key] };
  }

  private here(target: typeof this.store.selection.lock): number | undefined {
    return inMap(this.map, target) && target.index.slice(0, -1).join() === [...this.lead, this.row].join()
      ? target.index.at(-1) : undefined;
  }

  // Of the keys that share a point of the screen, the one that is drawn.
  private under(event: MouseEvent) {
    const box = this.renderRoot.querySelector('.stop')!.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * this.keys.length);
    const key = this.keys[x];
    return key === undefined ? undefined : this.target(key);
  }

  private press(event: MouseEvent): void {
    const target = this.under(event);
    if (!target) return;
    this.at = target.index.at(-1)!;
    this.store.selection.hold(target);
  }

  private go(key: number): void {
    this.at = Math.min(this.values.length - 1, Math.max(0, key));
    this.store.selection.point(this.target(this.at));
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.values.length - 1;
    const steps: Record<string, number> =
      { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, PageUp: this.at - 100, PageDown: this.at + 100, Home: 0,
      End: last };
    const step = steps[event.key];
    if (step !== undefined) this.go(step);
    else if (event.key === 'Enter') this.store.selection.hold(this.target(this.at));
    else if (event.key === 'Escape') this.store.selection.hold(undefined);
    else return;
    event.preventDefault();
  }
}
customElements.define('ap-strip', StripElement);
