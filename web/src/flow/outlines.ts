// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { css, html, nothing, svg } from 'lit';
import { type Plane, samePlane } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { palette } from '../styles/tokens.ts';
import { crossing, type Outline, outlines } from './highlight.ts';

// What an outline with a gap keeps free of numbers on either side of its line, in CSS pixels.
const GAP = 1.25;

/** The lines around cells of one matrix, over its picture: pointing draws these anew, and no number. */
export class OutlinesElement extends Part {
  /** The matrix that is drawn, or the cells that its own stand for. */
  @property({ attribute: false, hasChanged: (now?: Plane, before?: Plane) => !samePlane(now, before) }) plane!: Plane;
  @reactive w!: number;
  @reactive h!: number;
  @reactive transposed!: boolean;
  @reactive cross!: boolean;
  @reactive lens!: boolean;
  private lines: ReadonlySignal<string> | undefined;

  static override styles = css`
    :host { position: absolute; inset: 0; pointer-events: none; }
    svg { display: block; width: 100%; height: 100%; }
    rect { fill: none; }
  `;

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (this.lines && !['plane', 'cross', 'lens'].some((name) => changed.has(name))) return;
    const { store, plane, cross, lens } = this;
    // A text, so that only a matrix whose outlines change is drawn anew.
    this.lines = computed(() => {
      const paper = palette[store.view.theme];
      return JSON.stringify([...(cross ? crossing(store, plane, paper, lens) : []), ...outlines(store, plane, paper)]);
    });
  }

  override render(): unknown {
    const lines = JSON.parse(this.lines?.value ?? '[]') as Outline[];
    return lines.length === 0 ? nothing : html`<svg aria-hidden="true">${lines.map((line) => this.line(line))}</svg>`;
  }

  private line({ row, col, rows, cols, colour, width, gap }: Outline): unknown {
    const { plane, transposed, w, h } = this;
    const [down, across] = transposed ? [plane.cols, plane.rows] : [plane.rows, plane.cols];
    const [top, left, tall, wide] = transposed ? [col, row, cols, rows] : [row, col, rows, cols];
    const [cellWide, cellTall] = [w / across, h / down];
    // Half a pixel up and left: in the middle of the gaps between cells, and never beyond the matrix.
    const x = Math.max(width / 2, left * cellWide - 0.5);
    const y = Math.max(width / 2, top * cellTall - 0.5);
    const breadth = Math.max(0, Math.min(wide * cellWide, w - x - width / 2));
    const height = Math.max(0, Math.min(tall * cellTall, h - y - width / 2));
    return svg`${gap ? svg`<rect x=${x + 1} y=${y + 1} width=${Math.max(0, breadth - 2)}
      height=${Math.max(0, height - 2)} stroke=${palette[this.theme].background} stroke-width=${width + 2 * GAP} />`
      : nothing}<rect x=${x} y=${y} width=${breadth} height=${height} stroke=${colour} stroke-width=${width} />`;
  }
}
customElements.define('ap-outlines', OutlinesElement);
