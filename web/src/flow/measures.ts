// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Plane } from '../engine/result.ts';
import { factsOf } from '../large/facts.ts';
import { HEAD } from '../directory/places.ts';
import { spreadOf } from '../directory/spread.ts';
import { axisOf, typed } from '../directory/typed.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { arrow, direction, isolated } from '../strings/language.ts';
import { fixed } from '../strings/numerals.ts';
import { base } from '../styles/tokens.ts';

/** Four facts about the weights on show. */
export class MeasuresElement extends Part {
  static override properties = { ...Part.properties, plane: { attribute: false } };
  declare plane: Plane;

  static override styles = [
    base,
    css`
      dl { margin-top: var(--space-2); }
      div { display: flex; justify-content: space-between; gap: var(--space-6); padding: var(--space-2) 0;
        border-bottom: 1px solid var(--line); }
      div:last-child { border: 0; }
      dt { color: var(--ink2); }
      dd { text-align: end; }
    `,
  ];

  override render(): unknown {
    const { tensor, rows } = this.plane;
    const measure = this.store.sessions.result?.directory.measures[tensor.name];
    const head = tensor.places.indexOf(HEAD);
    const h = head < 0 ? 0 : (this.plane.held[head] ?? 0);
    const { sums: [low, high], largest } = this.facts();
    const facts: [string, string][] = [];
    // Where keys run down and features across, a row of the picture is no row of weights.
    const overKeys = axisOf(typed(tensor), 'key') === this.plane.colAxis;
    if (overKeys) facts.push([strings.rowsSumTo,
      rows === 1 ? low : low === high ? strings.inAllRows(low, rows) : strings.fromTo(low, high)]);
    const entropy = measure?.entropy?.[h];
    // Beside what it would be if all keys were alike: without it nobody knows whether that is much.
    const most = fixed(Math.log2(this.plane.cols), 2);
    if (entropy !== undefined) facts.push([strings.entropyMean, strings.bitsOf(fixed(entropy, 2), most)]);
    const support = measure?.support?.[h];
    if (support !== undefined) facts.push([strings.keysAbove, fixed(support, 1)]);
    if (largest) facts.push([strings.largest, largest]);
    const row = this.store.selection.places[this.plane.axis('row') ?? ''];
    if (overKeys && row !== undefined && row < rows) {
      const { support: keys, at, value } = factsOf(this.plane, row);
      const { result } = this.store.sessions;
      const spread = result && spreadOf(result, tensor, this.plane.index(row, 0));
      facts.push([strings.rowOf(this.named('row', row)),
        [...(spread ? [strings.bitsOf(fixed(spread.bits, 2), fixed(spread.most, 2))] : []), strings.keysOf(keys),
        `${this.named('col', at)} ${fixed(value, 2)}`].join(strings.comma)]);
    }
    return html`<h3 dir=${direction()}>${head < 0 ? '' : strings.head(h + 1)} <span
      class="note">${strings.wholeMatrix}</span></h3>
      <dl dir=${direction()}>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${
        nothing}`;
  }

  // Found once for the numbers on show: they are asked for at every change of the page.
  private known: { data: Float32Array; held: string; sums: [string, string]; largest: string | undefined } | undefined;

  private facts(): { sums: [string, string]; largest: string | undefined } {
    const { data } = this.plane.tensor;
    const held = `${this.plane.held.join()} ${this.store.sessions.result?.labels(this.plane.axis('row') ?? '')
      ?.join()}`;
    if (this.known?.data !== data || this.known.held !== held)
      this.known = { data, held, sums: this.sums(), largest: this.find() };
    return this.known;
  }

  private sums(): [string, string] {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < this.plane.rows; i++) {
      let sum = 0;
      for (let j = 0; j < this.plane.cols; j++) sum += this.plane.at(i, j);
      low = Math.min(low, sum);
      high = Math.max(high, sum);
    }
    return [fixed(low, 2), fixed(high, 2)];
  }

  private labelled(which: 'row' | 'col'): boolean {
    return this.store.sessions.result?.labels(this.plane.axis(which) ?? '') !== undefined;
  }

  private named(which: 'row' | 'col', at: number): string {
    return this.store.sessions.result?.labels(this.plane.axis(which) ?? '')?.[at] ?? String(at);
  }

  private find(): string | undefined {
    let best = -Infinity;
    let text: string | undefined;
    for (let i = 0; i < this.plane.rows; i++) {
      for (let j = 0; j < this.plane.cols; j++) {
        const value = this.plane.at(i, j);
        if (!(value > best)) continue;
        best = value;
        // A row that nobody asks in has no name worth saying.
        const asks = this.plane.rows > 1 || this.labelled('row') ? `${isolated(this.named('row', i))} ${arrow()} ` : '';
        text = `${asks}${isolated(this.named('col', j))} ${isolated(fixed(value, 2))}`;
      }
    }
    return text;
  }
}
customElements.define('ap-measures', MeasuresElement);
