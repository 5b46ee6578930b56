// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Part, property, reactive } from './part.ts';
import { strings } from './strings/en.ts';
import { rank, type Rank } from './turns.ts';

type Draw<T> = (item: T, k: number) => unknown;

/** The first of many things, and more of them on demand: however many a document makes, the page stays quick. */
export class BoundedElement extends Part {
  @reactive items!: readonly unknown[];
  @property({ type: Number }) most!: number;
  @reactive draw!: Draw<unknown>;
  @reactive more = 0;

  // Styled and placed by what it stands in.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  // Those of a picture are drawn with it.
  protected override get rank(): Rank {
    const { host } = this.getRootNode() as { host?: { rank?: Rank } };
    return host?.rank ?? rank.around;
  }

  override render(): unknown {
    const shown = this.most + this.more;
    const left = this.items.length - shown;
    return html`${this.items.slice(0, shown).map((item, k) => this.draw(item, k))}
      ${left > 0 ? html`<button class="link" data-part="more"
        @click=${() => (this.more += this.most)}>${strings.showMore(Math.min(left, this.most), left)}</button>`
        : nothing}`;
  }
}
customElements.define('ap-bounded', BoundedElement);

/** Draws at most so many of these at first. */
export const bounded = <T>(items: readonly T[], most: number, draw: Draw<T>): unknown =>
  html`<ap-bounded .items=${items} .most=${most} .draw=${draw as Draw<unknown>}></ap-bounded>`;
