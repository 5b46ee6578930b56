// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import { headsOf } from './measured-heads.ts';
import { words } from './words.ts';
import './all-heads.ts';

/**
 * All heads of a document that has several, below its picture: a model of several attentions shows them at once, a
 * single attention on demand, because its own heads are drawn beside it already. What is folded is not drawn.
 */
export class HeadsOverviewElement extends Part {
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
    if (heads.length < 2) return nothing;
    const open = this.open ?? heads.some(({ module }) => module !== heads[0]!.module);
    return html`<section><details ?open=${open}
      @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
      <summary><b>${words().title}</b> <span class="note">${words().count(heads.length)}</span></summary>
      ${open ? html`<ap-all-heads></ap-all-heads>` : nothing}</details></section>`;
  }
}
customElements.define('ap-heads-overview', HeadsOverviewElement);
