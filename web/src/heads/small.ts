// SPDX-License-Identifier: Apache-2.0
import type { PropertyDeclarations } from 'lit';
import { css, html } from 'lit';
import type { Domain } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { paint } from '../flow/paint.ts';
import { Part } from '../part.ts';
import { place } from '../styles/place.ts';
import { base, palette } from '../styles/tokens.ts';

/**
 * A small map that nobody points into: one canvas, painted anew only when its numbers, size or colours change. Of 144
 * heads a change of one sentence paints 144 of these.
 */
export class SmallMapElement extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties, plane: { attribute: false }, mask: { attribute: false }, domain: { attribute: false },
    side: { type: Number }, empty: { type: Boolean },
  };
  declare plane: Plane;
  declare mask: Plane | undefined;
  declare domain: Domain;
  /** The longer side, in CSS pixels. */
  declare side: number;
  /** Grey cells in the final shape, before the numbers come. */
  declare empty: boolean;
  private seen: unknown[] = [];

  static override styles = [base, css`
    :host { display: block; direction: ltr; }
    canvas { display: block; }
  `];

  constructor() {
    super();
    this.side = 56;
    this.empty = false;
  }

  private get size(): [number, number] {
    const { rows, cols } = this.plane;
    const unit = this.side / Math.max(rows, cols, 1);
    return [Math.max(unit * cols, Math.min(this.side, 8)), Math.max(unit * rows, Math.min(this.side, 8))];
  }

  override render(): unknown {
    // What decides the colours is read here, so that a change of theme draws the map anew.
    void this.theme;
    const [width, height] = this.size;
    return html`<canvas aria-hidden="true" ${place({ width, height })}></canvas>`;
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    if (!canvas) return;
    const { plane, mask, domain, theme, empty } = this;
    const [width, height] = this.size;
    const now = [plane.tensor.data, plane.held.join(), plane.rows, plane.cols, mask?.tensor.data, domain.join(), width,
      height, theme, empty, globalThis.devicePixelRatio];
    if (now.every((part, k) => part === this.seen[k])) return;
    this.seen = now;
    const { start, down, across } = plane;
    paint(canvas, width, height, {
      rows: plane.rows, cols: plane.cols, at: (i, j) => plane.at(i, j),
      field: { data: plane.tensor.data, start, down, across },
      ...(mask ? { masked: (i: number, j: number) => mask.at(i, j) === 0,
        hides: { data: mask.tensor.data, start: mask.start, down: mask.down, across: mask.across } } : {}),
      kind: domain[0] < 0 ? 'signed' : 'weights', domain, theme, paper: palette[theme], empty,
    });
  }
}
customElements.define('ap-small-map', SmallMapElement);
