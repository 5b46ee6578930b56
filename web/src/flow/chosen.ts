// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { Part } from '../part.ts';

type Draw = (chosen: number | undefined) => unknown;

/** Labels that mark the chosen query or key: drawn anew when another is chosen, and nothing around them is. */
export class ChosenElement extends Part {
  static override properties = { axis: {}, draw: { attribute: false } };
  declare axis: string;
  declare draw: Draw;

  // Styled and placed by what it stands in.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): unknown {
    return this.draw(this.store.selection.places[this.axis]);
  }
}
customElements.define('ap-chosen', ChosenElement);

/** Draws something that depends on which place of an axis is chosen. */
export const chosenOf = (axis: string | undefined, draw: Draw): unknown => html`<ap-chosen .axis=${axis ?? ''} .draw=${draw}></ap-chosen>`;
