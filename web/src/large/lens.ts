// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { colourOf, type Domain, type Kind } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { windowOf } from '../flow/window.ts';

/** The cells around the one that is pointed at, large enough for their numbers. */
export class LensElement extends Part {
  @reactive plane!: Plane;
  @reactive mask: Plane | undefined;
  @reactive domain!: Domain;
  @property() kind!: Kind;
  @reactive down!: readonly string[];
  @reactive across!: readonly string[];

  static override styles = css`
    :host { display: block; position: relative; width: 344px; max-width: 100%; }
    /* Over what stands below: nothing makes room while one points. What is locked stays, and gets its room. */
    .over { position: absolute; z-index: 2; top: 0; inset-inline-start: 0; max-width: 100%; overflow: hidden;
      background: var(--background); box-shadow: 0 4px 20px rgb(0 0 0 / 16%); border-radius: var(--radius);
      pointer-events: none; }
    .over.stays { position: static; box-shadow: none; min-height: 190px; }
    table { border-collapse: collapse; font-size: var(--text-mark); table-layout: fixed; width: 344px; }
    th { font-weight: 400; color: var(--ink2); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
      padding: 1px var(--space-1); }
    thead th { text-align: center; }
    tbody th { text-align: end; width: 64px; }
    thead td { width: 64px; }
    td { text-align: center; height: 22px; padding: 0; border: 1px solid var(--background); }
    td.here { outline: 2px solid var(--ink); outline-offset: -2px; }
    th.query { color: var(--query); font-weight: 600; }
    th.key { color: var(--key); font-weight: 600; }
  `;

  // It follows the pointer at once.
  protected override get forReading(): boolean {
    return this.store.selection.hover === undefined;
  }

  override render(): unknown {
    const { selection } = this.store;
    const seen = windowOf(selection, this.plane);
    if (!seen) return html`<p class="note">${strings.large.lens}</p>`;
    const { rows, cols, cell } = seen;
    const stays = windowOf({ hover: undefined, lock: selection.lock }, this.plane) !== undefined;
    // The sentence keeps the line that it had.
    return html`${stays ? '' : html`<p class="note">${strings.large.lens}</p>`}<div
      class="over ${stays ? 'stays' : ''}"><table aria-hidden="true"><thead><tr><td></td>${
      cols.map((j) => html`<th class=${j === cell[1] ? 'key' : ''}>${this.across[j] ?? j}</th>`)}</tr></thead>
      <tbody>${rows.map((i) => html`<tr><th
        class=${i === cell[0] ? 'query' : ''}>${this.down[i] ?? i}</th>${
        cols.map((j) => this.cell(i, j, i === cell[0] && j === cell[1]))}</tr>`)}</tbody></table></div>`;
  }

  // One template for all: a cell that becomes a masked one stays the element that it is.
  private cell(i: number, j: number, here: boolean): unknown {
    const masked = this.mask?.at(i, j) === 0;
    const value = this.plane.at(i, j);
    const { fill, ink } = masked ? { fill: undefined, ink: undefined }
      : colourOf(value, this.domain, this.kind, this.theme);
    const said = Number.isNaN(value) ? '' : inCell(value, this.kind === 'weights');
    return html`<td class=${here ? 'here' : ''} ${place({ background: fill, color: ink })}>${masked ? '–' : said}</td>`;
  }
}
customElements.define('ap-lens', LensElement);
