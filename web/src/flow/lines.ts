// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import { maximum } from '../lists.ts';
import { css, html, svg } from 'lit';
import { full } from '../colour/numbers.ts';
import { naming } from '../directory/naming.ts';
import type { Plane } from '../engine/result.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';

const FAINTEST = 0.004;
const MOST_LINES = 3000;

/** Weights as lines from each query row to the keys it attends to; width is weight. */
export class LinesElement extends Part {
  @reactive plane!: Plane;
  @property({ type: Number }) w!: number;
  @property({ type: Number }) h!: number;
  @property({ type: Boolean }) rowNames!: boolean;

  static override styles = css`
    :host { display: block; }
    .stop:focus-visible { outline-offset: 3px; }
    svg { display: block; overflow: visible; }
    path { fill: none; stroke: var(--ink3); opacity: 0.5; cursor: pointer; }
    path.chosen { stroke: var(--weight); opacity: 0.95; }
    path.aside { opacity: 0.16; }
    text { font-size: var(--text); fill: var(--ink); dominant-baseline: middle; cursor: pointer; }
    text.key { fill: var(--key); font-weight: 600; }
    text.query { fill: var(--query); font-weight: 600; }
    circle { fill: var(--query); }
  `;

  // So that never more lines are drawn than can be seen: of very many only the heaviest.
  private faintest(): number {
    const { rows, cols } = this.plane;
    if (rows * cols <= MOST_LINES) return FAINTEST;
    const all: number[] = [];
    for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) all.push(Math.abs(this.plane.at(i, j)));
    return Math.max(FAINTEST, all.sort((a, b) => b - a)[MOST_LINES] ?? 0);
  }

  private target(row: number, col: number) {
    const { tensor } = this.plane;
    return { group: tensor.group, tensor: tensor.name, index: this.plane.index(row, col) };
  }

  // Up and down go from query to query, left and right along the keys of one, from the largest weight to the smallest.
  private readonly key = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { rows, cols } = this.plane;
    const { places, lock } = this.store.selection;
    const row = places[this.plane.axis('row') ?? ''];
    const col = places[this.plane.axis('col') ?? ''];
    const ranked = (at: number) =>
      Array.from({ length: cols }, (_, j) => j).sort((a, b) => this.plane.at(at, b) - this.plane.at(at, a));
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (down !== undefined) {
      const next = row === undefined ? 0 : Math.min(rows - 1, Math.max(0, row + down));
      this.look(next, ranked(next)[0] ?? 0);
    } else if (along !== undefined) {
      const keys = ranked(row ?? 0);
      const next = col === undefined ? 0 : Math.min(cols - 1, Math.max(0, keys.indexOf(col) + along));
      this.look(row ?? 0, keys[next] ?? 0);
    } else if (event.key === 'Enter' && row !== undefined && col !== undefined)
      this.store.selection.hold(this.target(row, col));
    else if (event.key === 'Escape' && lock) this.store.selection.hold(undefined);
    else return;
    event.preventDefault();
  };

  private look(row: number, col: number): void {
    const target = this.target(row, col);
    if (this.store.selection.lock) this.store.selection.hold(target);
    else this.store.selection.point(target);
  }

  override render(): unknown {
    const { rows, cols } = this.plane;
    const keys = this.store.sessions.result?.labels(this.plane.axis('col') ?? '') ?? [];
    const queries = this.store.sessions.result?.labels(this.plane.axis('row') ?? '') ?? [];
    const left = this.rowNames ? 66 : 2;
    const right = this.w - Math.min(72, 14 + 7 * maximum(keys.map((k) => k.length), 1));
    const y = (at: number, of: number) => ((at + 0.5) * this.h) / of;
    const at = this.store.selection.places;
    const [row, col] = [this.plane.axis('row') ?? '', this.plane.axis('col') ?? ''];
    const alone = this.plane.rows === 1 && queries.length === 0;
    const chosen = { m: at[row] ?? (alone && at[col] !== undefined ? 0 : undefined), n: at[col] };
    const most = Math.min(9, (this.h / Math.max(rows, cols)) * 0.4);
    const paths = [];
    const faintest = this.faintest();
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        const weight = this.plane.at(i, j);
        if (!(Math.abs(weight) > faintest)) continue;
        const mid = (left + right) / 2;
        const target = this.target(i, j);
        const name = chosen.m === undefined ? '' : chosen.m === i ? 'chosen' : 'aside';
        paths.push(svg`<path class=${name} stroke-width=${Math.max(0.6, Math.min(1, Math.abs(weight)) * most)}
          d="M${left} ${y(i, rows)} C${mid} ${y(i, rows)} ${mid} ${y(j, cols)} ${right} ${y(j, cols)}"
          @pointerenter=${() => this.store.selection.point(target)}
          @pointerleave=${() => this.store.selection.point(undefined)}
          @click=${() => this.store.selection.hold(target)} />`);
      }
    }
    const named = (i: number, j: number) =>
      `${queries[i] ?? i + 1} → ${keys[j] ?? j + 1}: ${full(this.plane.at(i, j))}`;
    const here = chosen.m === undefined || chosen.n === undefined ? '' : named(chosen.m, chosen.n);
    return html`<div class="stop" tabindex="0" role="application" aria-roledescription=${strings.views.lines}
      aria-label=${[naming(this.plane.tensor).title, here, strings.linesHelp].filter(Boolean).join('. ')}
      @keydown=${this.key} @blur=${() => this.store.selection.point(undefined)}>
      <svg width=${this.w} height=${this.h} aria-hidden="true">
      ${paths}
      ${chosen.m === undefined ? '' : svg`<circle cx=${left} cy=${y(chosen.m, rows)} r="3.5" />`}
      ${Array.from({ length: this.rowNames ? rows : 0 },
        (_, i) => svg`<text x=${left - 8} y=${y(i, rows)} text-anchor="end"
        class=${chosen.m === i ? 'query' : ''}>${queries[i] ?? (alone ? '' : i + 1)}</text>`)}
      ${Array.from({ length: cols }, (_, j) => svg`<text x=${right + 8} y=${y(j, cols)}
        class=${chosen.n === j ? 'key' : ''}>${keys[j] ?? j + 1}</text>`)}
    </svg></div>`;
  }
}
customElements.define('ap-lines', LinesElement);
