// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { plane, type Tensor } from '../engine/result.ts';
import { Part, reactive } from '../part.ts';
import { headsOf } from './measured-heads.ts';
import { words } from './words.ts';
import './all-heads.ts';
import './map-table.ts';

/**
 * Below the picture: measures of the map on show, and all heads of a document that has several. A model of several
 * attentions shows its heads at once, a single attention on demand, because its own heads are drawn beside it already.
 * What is folded is not drawn.
 */
export class HeadsOverviewElement extends Part {
  /** The weights of the module that is shown large. */
  @reactive weights: Tensor | undefined;
  /** What the reader chose; undefined as long as nobody has. */
  @reactive open: boolean | undefined;

  static override styles = css`
    section { border-top: 1px solid var(--line); padding: var(--space-6) 0; }
    summary { cursor: pointer; min-height: var(--press); }
  `;

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const { result } = this.store.sessions;
    const heads = result ? headsOf(result) : [];
    const { weights } = this;
    const table = weights === undefined ? nothing : html`<section><ap-map-table
      .plane=${plane(weights, this.store.selection.chosen)}></ap-map-table></section>`;
    if (heads.length < 2) return table;
    const open = this.open ?? heads.some(({ module }) => module !== heads[0]!.module);
    return html`${table}<section><details ?open=${open}
      @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
      <summary><b>${words().title}</b> <span class="note">${words().count(heads.length)}</span></summary>
      ${open ? html`<ap-all-heads></ap-all-heads>` : nothing}</details></section>`;
  }
}
customElements.define('ap-heads-overview', HeadsOverviewElement);
