// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import type { Plane } from '../engine/result.ts';
import { windowOf } from './window.ts';
import { Part, property, reactive } from '../part.ts';

type Draw = (chosen: number | undefined) => unknown;

/** Labels that mark the chosen query or key: drawn anew when another is chosen, and nothing around them is. */
export class ChosenElement extends Part {
  @property() axis!: string;
  /** Beside a matrix of its own: the row or the column that is pointed at in it. */
  @reactive plane: Plane | undefined;
  @property() which: 'row' | 'col' | undefined;
  @reactive draw!: Draw;

  // Styled and placed by what it stands in.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): unknown {
    const { plane, which } = this;
    const own = plane && windowOf(this.store.selection, plane)?.cell[which === 'row' ? 0 : 1];
    return this.draw(own ?? this.store.selection.places[this.axis]);
  }
}
customElements.define('ap-chosen', ChosenElement);

/** Draws something that depends on which place of an axis is chosen. */
export const chosenOf = (axis: string | undefined, draw: Draw): unknown =>
  html`<ap-chosen .axis=${axis ?? ''} .draw=${draw}></ap-chosen>`;

/** Draws the names beside one matrix: what is pointed at in it comes before what is locked. */
export const besideOf = (plane: Plane, which: 'row' | 'col', draw: Draw): unknown =>
  html`<ap-chosen .axis=${plane.axis(which) ?? ''} .plane=${plane} .which=${which} .draw=${draw}></ap-chosen>`;
