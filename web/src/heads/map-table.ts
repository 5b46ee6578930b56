// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Plane } from '../engine/result.ts';
import { HEAD } from '../directory/places.ts';
import { maximum } from '../lists.ts';
import { Part, reactive } from '../part.ts';
import { moduleCalled } from '../strings/counted.ts';
import { shownPiece } from '../strings/displayed-word.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { direction } from '../strings/language.ts';
import { fixed, percent, powers } from '../strings/numerals.ts';
import { MEASURES, type MapMeasure, type MapSummary, MOST_RANK, summaryOf } from './map-measures.ts';
import { SHARE } from './singular.ts';
import { words } from './words.ts';

// More rows are only averaged.
const MOST_ROWS = 128;

/** What the rank of a map is and how it was counted; nothing where it would take too long. */
function ranked({ rank: found }: MapSummary): string {
  if (!found) return words().noRank(MOST_RANK);
  const { rank, full, bound, most } = found;
  if (most === 0) return words().rankNone;
  return words().rank(rank, full, powers(bound, 1), most, percent(String(100 * SHARE)));
}

/** Measures of the map on show, row by row, on the mean and as a whole; nothing is computed before it is unfolded. */
export class MapTableElement extends Part {
  @reactive plane!: Plane;
  @reactive open = false;

  static override styles = css`
    summary { cursor: pointer; min-height: var(--press); align-content: center; font-weight: 600; }
    summary .note { font-weight: 400; }
    .scroll { overflow: auto; max-height: 420px; }
    table { border-collapse: collapse; font-size: var(--text-note); margin: var(--space-2) 0; }
    th, td { padding: var(--space-2) var(--space-7) var(--space-2) 0; text-align: end; font-weight: 400;
      border-bottom: 1px solid var(--line); white-space: nowrap; }
    th { color: var(--ink2); }
    tbody th { color: var(--query); }
    th:first-child { text-align: start; }
    tbody th { max-width: 18ch; overflow: hidden; text-overflow: ellipsis; }
    tfoot :is(th, td) { font-weight: 600; color: var(--ink); border: 0; }
  `;

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    return html`<details dir=${direction()} ?open=${this.open}
      @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
      <summary>${this.called()} <span class="note">${words().tableNote}</span></summary>${
        this.open ? this.table() : nothing}</details>`;
  }

  // With several maps on the page, which of them it is.
  private called(): string {
    const { tensor, held } = this.plane;
    const head = tensor.places.indexOf(HEAD);
    const parts = [tensor.module === undefined ? '' : moduleCalled(tensor.module),
      head < 0 ? '' : headNamed(tensor, held[head] ?? 0)].filter(Boolean);
    return parts.length === 0 ? words().table : `${words().table}: ${parts.join(strings.comma)}`;
  }

  private table(): unknown {
    const { plane } = this;
    const { result } = this.store.sessions;
    if (!result) return nothing;
    const summary = summaryOf(plane, result);
    const ids = MEASURES.filter((id) => summary.means[id] !== undefined);
    const names = result.labels(plane.axis('row') ?? '');
    // Rows that are all 0, as a mask may leave them, have no number.
    const counted = maximum(ids.map((id) => summary.rows[id]!.filter((one) => one !== undefined).length), 0);
    const number = (id: MapMeasure, value: number | undefined) =>
      html`<td data-measure=${id}>${value === undefined ? '–' : fixed(value, 2)}</td>`;
    const rows = plane.rows > MOST_ROWS ? [] : Array.from({ length: plane.rows }, (_, row) => html`<tr><th
      scope="row">${shownPiece(names?.[row] ?? String(row + 1))}</th>${
        ids.map((id) => number(id, summary.rows[id]![row]))}</tr>`);
    return html`${ids.length === 0 ? nothing : html`<div class="scroll" tabindex="0" role="group"
      aria-label=${words().table}><table><thead><tr><th scope="col">${words().rowHead}</th>${ids.map((id) =>
        html`<th scope="col">${words().measured[id]}</th>`)}</tr></thead><tbody>${rows}</tbody>
      <tfoot><tr><th scope="row">${words().mean(counted)}</th>${ids.map((id) => number(id, summary.means[id]))}</tr>
      </tfoot></table></div>`}<p class="note" data-part="rank">${ranked(summary)}</p>
      ${summary.shares ? nothing : html`<p class="note" data-part="unmeasured">${words().noShares}</p>`}
      ${summary.means.entropy === undefined ? nothing : html`<p class="note">${words().measuredNote} ${
        summary.means.itself === undefined ? nothing : words().measuredSelf}</p>`}`;
  }
}
customElements.define('ap-map-table', MapTableElement);
