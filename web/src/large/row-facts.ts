// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { inCell } from '../colour/numbers.ts';
import type { Plane } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { inNumbers } from '../strings/inside.ts';
import { fixed } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { factsOf, type RowFacts } from '../flow/row-numbers.ts';
import { factsStyles } from './facts.styles.ts';

/** Beside each row of weights: its entropy, how many keys it looks at, and at which most. */
export class RowFactsElement extends Part {
  @reactive plane!: Plane;
  /** What the columns are called. */
  @reactive names!: readonly string[];
  /** Of a row, in CSS pixels. */
  @property({ type: Number }) height!: number;
  private known: { data: Float32Array; held: string; facts: RowFacts[] } | undefined;

  static override styles = [factsStyles, css`:host { display: block; }`];

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    return html`<div class="facts" aria-hidden="true">${this.facts().map((one) => html`<div ${
      place({ height: this.height })}>
      <span>${one.entropy === undefined ? '–' : fixed(one.entropy, 2)}</span><span>${one.support}</span><span
        class="most"><b>${inNumbers(this.names[one.at] ?? '')}</b> ${inCell(one.value, true)}</span></div>`)}</div>`;
  }

  // Found once for the numbers on show.
  private facts(): RowFacts[] {
    const { plane } = this;
    const { data } = plane.tensor;
    const held = plane.held.join();
    if (this.known?.data !== data || this.known.held !== held)
      this.known = { data, held, facts: Array.from({ length: plane.rows }, (_, row) => factsOf(plane, row)) };
    return this.known.facts;
  }
}
customElements.define('ap-row-facts', RowFactsElement);
