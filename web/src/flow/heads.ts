// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { MAP } from '../directory/heads.ts';
import { kindOf, naming } from '../directory/naming.ts';
import { distinct, Plane, type Tensor, plane } from '../engine/result.ts';
import { HEAD } from '../directory/places.ts';
import { isOff } from '../heads/switched.ts';
import { words } from '../heads/words.ts';
import { minimum } from '../lists.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { direction } from '../strings/language.ts';
import { fixed } from '../strings/numerals.ts';
import './matrix.ts';

const MOST = 32;

/** Heads as small multiples on one scale; pressing one makes it the large picture. */
export class HeadsElement extends Part {
  @reactive tensor!: Tensor;
  @reactive mask: Plane | undefined;

  static override styles = css`
    ul { display: flex; flex-wrap: wrap; gap: var(--space-6) var(--space-10); margin-top: var(--space-4); }
    ul button { display: block; text-align: start; line-height: var(--leading-note); }
    .frame { display: block; padding: var(--space-1); border: 2px solid transparent; width: max-content;
      margin: 0 0 var(--space-1) calc(-1 * var(--space-2)); }
    button[aria-pressed='true'] .frame { border-color: var(--ink); }
    button[aria-pressed='true'] .name { font-weight: 600; }
    button:hover .frame { border-color: var(--line2); }
    button[aria-pressed='true']:hover .frame { border-color: var(--ink); }
    .name { display: block; }
    .maps { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-4); margin-top: var(--space-6); }
    .seg button::first-letter { text-transform: uppercase; }
  `;

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const axis = this.tensor.places.indexOf(HEAD);
    const count = Math.min(MOST, this.tensor.shape[axis] ?? 1);
    const kind = kindOf(this.tensor);
    const domain = this.store.scales.of(this.tensor, kind);
    const current = Math.min(this.store.selection.chosen[HEAD] ?? 0, count - 1);
    // A map with negative numbers has no entropy.
    const entropy = minimum(this.tensor.data, 0) < 0 ? undefined
      : this.store.sessions.result?.directory.measures[this.tensor.name]?.entropy;
    const size = count > 8 ? 52 : 72;
    return html`<h3 dir=${direction()}>${strings.heads} <span class="note">${
        entropy ? strings.headsNote : strings.headsScale}</span></h3>
      <ul>${Array.from({ length: count }, (_, h) => {
        const shown = plane(this.tensor, { ...this.store.selection.chosen, [HEAD]: h });
        const wide = shown.cols >= shown.rows;
        const w = wide ? size : Math.max(12, (size * shown.cols) / shown.rows);
        const tall = wide ? Math.max(12, (size * shown.rows) / shown.cols) : size;
        return html`<li><button aria-pressed=${h === current}
          @click=${() => this.store.selection.choose(HEAD, h)}>
          <span class="frame"><ap-matrix still .plane=${shown} .mask=${this.mask}
            .kind=${kind} .domain=${domain} .w=${w} .h=${tall}></ap-matrix></span>
          <span class="name">${headNamed(this.tensor, h)}${isOff(this.store, this.tensor, h)
            ? strings.comma + words().isOff : nothing}</span>
          ${entropy?.[h] === undefined ? nothing
            : html`<span class="note">${strings.bits(fixed(entropy[h], 2))}</span>`}
        </button></li>`;
      })}</ul>${this.maps()}`;
  }

  // Where a head has several maps, and its weights are made of all of them: which one the other matrices show.
  private maps(): unknown {
    const { result } = this.store.sessions;
    const several = distinct(result?.all('outputs').filter(({ module, maps = 1 }) =>
      module === this.tensor.module && maps > (this.tensor.maps ?? 1)) ?? []);
    const count = several[0]?.maps;
    if (count === undefined) return nothing;
    const titles = several.map((one) => naming(one).title).join(strings.comma);
    const at = Math.min(this.store.selection.chosen[MAP] ?? 0, count - 1);
    return html`<div class="maps" dir=${direction()} data-part="maps"><span class="note">${titles}</span>
      <span class="seg" role="group" aria-label=${titles}>${Array.from({ length: count },
      (_, k) => html`<button aria-pressed=${k === at}
        @click=${() => this.store.selection.choose(MAP, k)}>${strings.cell.map(k + 1)}</button>`)}</span></div>`;
  }
}
customElements.define('ap-heads', HeadsElement);
