// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import { css, html } from 'lit';
import { Part, property } from '../part.ts';
import { strings } from '../strings/en.ts';
import { ownTouch } from '../styles/touch.ts';

const DRAG = 24;
const MARGIN = 56;
// So many milliseconds after a pointer was lifted a click may still be its own.
const LATE = 700;

/** Holds the card where there is no room beside the flow: a peek, pressed or dragged to expand. */
export class SheetElement extends Part {
  @property({ type: Boolean, reflect: true }) open!: boolean;
  private from: number | undefined;
  /** When a finger or a pointer that was lifted has done what it came for. */
  private done = -Infinity;
  private held: string | undefined;

  static override styles = css`
    :host {
      display: flex; flex-direction: column; position: absolute; left: 0; right: 0; bottom: 0; z-index: 8;
        height: 172px;
      background: var(--panel); border-top: 1px solid var(--line2);
      border-radius: var(--radius-large) var(--radius-large) 0 0;
      box-shadow: 0 -6px 24px rgb(0 0 0 / 10%); transition: height 180ms ease-out;
    }
    :host([open]) { height: min(72%, 560px); }
    .grip { flex: none; height: 24px; display: grid; place-items: center; touch-action: none; cursor: ns-resize; }
    .grip i { width: 40px; height: 4px; border-radius: var(--radius-round); background: var(--line2); }
    .in { flex: 1; min-height: 0; overflow: auto; margin-top: calc(-1 * var(--space-5)); }
    @media (prefers-reduced-motion: reduce) { :host { transition: none; } }
    @media (pointer: coarse) { .grip { height: var(--finger); } }
  `;

  // What was locked stays in sight: whatever it lies in moves up until the sheet covers it no more.
  override updated(changed: Map<PropertyKey, unknown>): void {
    // The peek shows how the explanation begins.
    if (changed.has('open') && !this.open) this.renderRoot.querySelector('.in')?.scrollTo(0, 0);
    const { lock } = this.store.selection;
    const held = lock && `${lock.tensor} ${lock.index.join()}`;
    if (held === this.held) return;
    this.held = held;
    const root = this.getRootNode() as ShadowRoot;
    const flow = root.querySelector('ap-flow')?.shadowRoot;
    const matrix = flow?.querySelector(`ap-matrix[data-tensor="${CSS.escape(lock?.tensor ?? '')}"], ap-lines`);
    const around = root.querySelector('.middle > .scroll');
    if (!matrix || !around) return;
    const [one, all] = [matrix.getBoundingClientRect(), around.getBoundingClientRect()];
    const under = one.bottom - this.getBoundingClientRect().top + MARGIN;
    if (under > 0) around.scrollBy({ top: Math.min(under, one.top - all.top - MARGIN) });
  }

  override render(): unknown {
    return html`<button class="grip" aria-expanded=${this.open}
      aria-label=${this.open ? strings.collapse : strings.expand}
        @click=${this.press} @pointerdown=${this.down} @pointermove=${this.drag} @pointerup=${this.up}
        @pointercancel=${this.leave} @touchmove=${ownTouch}><i></i></button>
      <div class="in" tabindex="0" role="group" aria-label=${strings.explanation}><slot></slot></div>`;
  }

  // A pointer's press is over when it is lifted, and what it was is known by then: a browser may make no click of it,
  // or make one late. Keys and readers of the screen make a click alone.
  private press(event: MouseEvent): void {
    if (event.detail === 0 || event.timeStamp - this.done > LATE) this.open = !this.open;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.from = event.clientY;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent): void {
    if (this.from === undefined || event.buttons === 0) return;
    const by = event.clientY - this.from;
    if (Math.abs(by) < DRAG) return;
    this.open = by < 0;
    this.leave(event);
  }

  private up(event: PointerEvent): void {
    if (this.from !== undefined) this.open = !this.open;
    this.leave(event);
  }

  private leave(event: PointerEvent): void {
    this.from = undefined;
    this.done = event.timeStamp;
  }
}
customElements.define('ap-sheet', SheetElement);
