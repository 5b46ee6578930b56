// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { colourOf, type Domain } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { place } from '../styles/place.ts';

// Stands in the sentence where the word goes, which is marked there.
const GAP = '\u0000';

/** One query's weights, read as a sentence: each key shaded by what it gets. */
export class TextElement extends Part {
  @reactive plane!: Plane;
  @reactive mask: Plane | undefined;
  @reactive domain!: Domain;

  static override styles = css`
    :host { display: block; }
    p { margin-bottom: var(--space-4); }
    .note { margin-block: var(--space-4); }
    b { font-weight: 600; }
    .keys, .rows { display: flex; flex-wrap: wrap; gap: var(--space-2); }
    .rows { margin-top: var(--space-6); }
    button { min-height: var(--control); min-width: var(--finger);
      padding: var(--space-2) var(--space-4); border-radius: var(--radius); }
    .keys button { font-size: var(--text-read); }
    .keys small { font-size: var(--text-mark); }
    .masked { border: 1px dashed var(--line2); color: var(--ink2); }
    .locked { outline: 2px solid var(--ink); outline-offset: 2px; }
    .rows button { border: 1px solid transparent; color: var(--ink2); min-width: var(--control); }
    .rows button[aria-pressed='true'] { color: var(--query); border-color: var(--query); font-weight: 600; }
  `;

  override render(): unknown {
    const { rows, cols, tensor } = this.plane;
    const queries = this.store.sessions.result?.labels(this.plane.axis('row') ?? '') ?? [];
    const keys = this.store.sessions.result?.labels(this.plane.axis('col') ?? '') ?? [];
    const at = this.store.selection.places;
    const chosen = { m: at[this.plane.axis('row') ?? ''], n: at[this.plane.axis('col') ?? ''] };
    const row = Math.min(chosen.m ?? rows - 1, rows - 1);
    const [before, after] = strings.whatAttends(GAP).split(GAP);
    const target = (i: number, j: number) =>
      ({ group: tensor.group, tensor: tensor.name, index: this.plane.index(i, j) });
    return html`<p dir=${direction()}>${before}<b class="query">${queries[row] ?? row + 1}</b>${after}</p>
      <div class="keys">${Array.from({ length: cols }, (_, j) => {
        const name = keys[j] ?? String(j + 1);
        if (this.mask?.at(row, j) === 0)
          return html`<button class="masked" disabled title=${strings.masked}>${name}</button>`;
        const value = this.plane.at(row, j);
        const colour = colourOf(value, this.domain, 'weights', this.theme);
        const locked = this.store.selection.lock && chosen.n === j;
        return html`<button class=${locked ? 'locked' : ''} ${place({ background: colour.fill, color: colour.ink })}
          @pointerenter=${() => this.store.selection.point(target(row, j))}
          @pointerleave=${() => this.store.selection.point(undefined)}
          @click=${() => this.store.selection.hold(target(row, j))}>${name} <small>${
            inCell(value, true)}</small></button>`;
      })}</div>
      <p class="note">${strings.attendsNote}</p>
      <div class="rows" role="group"
        aria-label=${strings.whatAttends('…')}>${Array.from({ length: rows }, (_, i) => html`<button
          aria-pressed=${i === row} @click=${() =>
            this.store.selection.hold(target(i, Math.min(chosen.n ?? 0, cols - 1)))}
        >${queries[i] ?? i + 1}</button>`)}</div>`;
  }
}
customElements.define('ap-text', TextElement);
