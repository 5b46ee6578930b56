// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import { css, html, nothing } from 'lit';
import { hasNegative } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { factsOf } from './row-numbers.ts';
import { HEAD } from '../directory/places.ts';
import { mostOnMean, spreadOf } from '../directory/spread.ts';
import { axisOf, typed } from '../directory/typed.ts';
import { headSwitch } from '../heads/switched.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { arrow, direction, isolated } from '../strings/language.ts';
import { fixed } from '../strings/numerals.ts';

interface Found {
  sums: [string, string];
  largest: string | undefined;
  /** The largest entropy that its rows can have on the mean, in bits. */
  most: number | undefined;
}

/** Four facts about the weights on show. */
export class MeasuresElement extends Part {
  @reactive plane!: Plane;

  static override styles = css`
    dl { margin-top: var(--space-2); }
    div { display: flex; justify-content: space-between; gap: var(--space-6); padding: var(--space-2) 0;
      border-bottom: 1px solid var(--line); }
    div:last-child { border: 0; }
    dt { color: var(--ink2); }
    dd { text-align: end; }
  `;

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const { tensor, rows } = this.plane;
    const measure = this.store.sessions.result?.directory.measures[tensor.name];
    const head = tensor.places.indexOf(HEAD);
    const h = head < 0 ? 0 : (this.plane.held[head] ?? 0);
    const { sums: [low, high], largest, most } = this.facts();
    const facts: [string, string][] = [];
    // Where keys run down and features across, a row of the picture is no row of weights.
    const overKeys = axisOf(typed(tensor), 'key') === this.plane.colAxis;
    if (overKeys) facts.push([strings.rowsSumTo,
      rows === 1 ? low : low === high ? strings.inAllRows(low, rows) : strings.fromTo(low, high)]);
    // Negative numbers are no shares, so they have no entropy.
    const entropy = hasNegative(tensor.data) ? undefined : measure?.entropy?.[h];
    // Beside what it would be if all keys that a row may see were alike: without it nobody knows whether that is much.
    if (entropy !== undefined) facts.push([
      overKeys && [low, high].some((sum) => sum !== fixed(1, 2)) ? strings.entropyOfShares : strings.entropyMean,
      overKeys && most !== undefined
      ? strings.bitsOf(fixed(entropy, 2), fixed(most, 2)) : strings.bits(fixed(entropy, 2))]);
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
    return html`<h3 dir=${direction()}>${head < 0 ? '' : headNamed(tensor, h)} <span
      class="note">${strings.wholeMatrix}</span></h3>
      ${head < 0 ? nothing : html`<p dir=${direction()}>${headSwitch(this.store, tensor, h)}</p>`}
      <dl dir=${direction()}>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${
        nothing}`;
  }

  // Found once for the numbers on show: they are asked for at every change of the page.
  private known: Found & { data: Float32Array; held: string } | undefined;

  private facts(): Found {
    const { data } = this.plane.tensor;
    const held = `${this.plane.held.join()} ${this.store.sessions.result?.labels(this.plane.axis('row') ?? '')
      ?.join()}`;
    if (this.known?.data !== data || this.known.held !== held)
      this.known = { data, held, ...this.found() };
    return this.known;
  }

  // In one pass over the numbers themselves: a map may have hundreds of thousands.
  private found(): Found {
    const { plane } = this;
    const { rows, cols, start, down, across, tensor: { data } } = plane;
    let [low, high, most] = [Infinity, -Infinity, -Infinity];
    let at: [number, number] | undefined;
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      for (let j = 0, place = start + i * down; j < cols; j++, place += across) {
        const value = data[place] ?? Number.NaN;
        sum += value;
        if (!(value > most)) continue;
        most = value;
        at = [i, j];
      }
      low = Math.min(low, sum);
      high = Math.max(high, sum);
    }
    const { result } = this.store.sessions;
    return { sums: [fixed(low, 2), fixed(high, 2)], largest: at && this.largest(...at, most),
      most: result && mostOnMean(result, plane) };
  }

  private labelled(which: 'row' | 'col'): boolean {
    return this.store.sessions.result?.labels(this.plane.axis(which) ?? '') !== undefined;
  }

  private named(which: 'row' | 'col', at: number): string {
    return this.store.sessions.result?.labels(this.plane.axis(which) ?? '')?.[at] ?? String(at + 1);
  }

  private largest(row: number, col: number, value: number): string {
    // A row that nobody asks in has no name worth saying.
    const asks = this.plane.rows > 1 || this.labelled('row') ? `${isolated(this.named('row', row))} ${arrow()} ` : '';
    return `${asks}${isolated(this.named('col', col))} ${isolated(fixed(value, 2))}`;
  }
}
customElements.define('ap-measures', MeasuresElement);
