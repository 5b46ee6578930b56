// SPDX-License-Identifier: Apache-2.0
import { css, html, svg } from 'lit';
import type { Plane } from '../engine/result.ts';
import { Part } from '../part.ts';
import { base } from '../styles/tokens.ts';
import { } from './highlight.ts';

const FAINTEST = 0.004;
const MOST_LINES = 3000;

/** Weights as lines from each query row to the keys it attends to; width is weight. */
export class LinesElement extends Part {
  static override properties = {
    ...Part.properties,
    plane: { attribute: false },
    w: { type: Number },
    h: { type: Number },
    rowNames: { type: Boolean },
  };
  declare plane: Plane;
  declare w: number;
  declare h: number;
  declare rowNames: boolean;

  static override styles = [
    base,
    css`
      :host { display: block; }
      svg { display: block; overflow: visible; }
      path { fill: none; stroke: var(--ink3); opacity: 0.5; cursor: pointer; }
      path.chosen { stroke: var(--weight); opacity: 0.95; }
      path.aside { opacity: 0.16; }
      text { font-size: 13px; fill: var(--ink); dominant-baseline: middle; cursor: pointer; }
      text.key { fill: var(--key); font-weight: 600; }
      text.query { fill: var(--query); font-weight: 600; }
      circle { fill: var(--query); }
    `,
  ];

  // So that never more lines are drawn than can be seen: of very many only the heaviest.
  private faintest(): number {
    const { rows, cols } = this.plane;
    if (rows * cols <= MOST_LINES) return FAINTEST;
    const all: number[] = [];
    for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) all.push(Math.abs(this.plane.at(i, j)));
    return Math.max(FAINTEST, all.sort((a, b) => b - a)[MOST_LINES] ?? 0);
  }

  override render(): unknown {
    const { rows, cols, tensor } = this.plane;
    const keys = this.store.sessions.result?.labels(this.plane.axis('col') ?? '') ?? [];
    const queries = this.store.sessions.result?.labels(this.plane.axis('row') ?? '') ?? [];
    const left = this.rowNames ? 66 : 2;
    const right = this.w - Math.min(72, 14 + 7 * Math.max(1, ...keys.map((k) => k.length)));
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
        const target = { group: tensor.group, tensor: tensor.name, index: this.plane.index(i, j) };
        const name = chosen.m === undefined ? '' : chosen.m === i ? 'chosen' : 'aside';
        paths.push(svg`<path class=${name} stroke-width=${Math.max(0.6, Math.min(1, Math.abs(weight)) * most)}
          d="M${left} ${y(i, rows)} C${mid} ${y(i, rows)} ${mid} ${y(j, cols)} ${right} ${y(j, cols)}"
          @pointerenter=${() => this.store.selection.point(target)}
          @pointerleave=${() => this.store.selection.point(undefined)}
          @click=${() => this.store.selection.hold(target)} />`);
      }
    }
    return html`<svg width=${this.w} height=${this.h} role="img" aria-label="lines from queries to keys">
      ${paths}
      ${chosen.m === undefined ? '' : svg`<circle cx=${left} cy=${y(chosen.m, rows)} r="3.5" />`}
      ${Array.from({ length: this.rowNames ? rows : 0 },
        (_, i) => svg`<text x=${left - 8} y=${y(i, rows)} text-anchor="end"
        class=${chosen.m === i ? 'query' : ''}>${queries[i] ?? (alone ? '' : i)}</text>`)}
      ${Array.from({ length: cols }, (_, j) => svg`<text x=${right + 8} y=${y(j, cols)}
        class=${chosen.n === j ? 'key' : ''}>${keys[j] ?? j}</text>`)}
    </svg>`;
  }
}
customElements.define('ap-lines', LinesElement);
