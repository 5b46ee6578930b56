// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { InSight } from './in-sight.ts';
import { Part, property, reactive } from './part.ts';
import { isPrinting, isWaiting } from './turns.ts';

// Milliseconds until it looks again whether it is near.
const AGAIN = 50;

/** Something of which a page may have very many: it is made when it comes near, and then it stays. */
export class OnDemandElement extends Part {
  /** The tensor that it shows. */
  @property() of = '';
  @reactive content!: () => unknown;
  /** What keeps its place until then. */
  @reactive until!: () => unknown;
  @reactive made = false;
  private readonly sight = new InSight(this, () => this.come());

  override connectedCallback(): void {
    super.connectedCallback();
    // Without a box of its own it would never be seen.
    this.style.display = 'block';
  }

  // Styled by what it stands in.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): unknown {
    return this.made ? this.content() : this.until();
  }

  override updated(): void {
    if (!this.made) this.sight.wait();
  }

  // As long as the page grows above it, it may be near for a moment only.
  private come(): void {
    if (isWaiting() && !isPrinting()) setTimeout(() => this.sight.wait(), AGAIN);
    else this.made = true;
  }

  /** Makes it, near or not. */
  async make(): Promise<void> {
    this.made = true;
    await this.updateComplete;
  }
}
customElements.define('ap-on-demand', OnDemandElement);

export const onDemand = (of: string, content: () => unknown, until: () => unknown): unknown =>
  html`<ap-on-demand of=${of} .content=${content} .until=${until}></ap-on-demand>`;
