// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { percents } from '../colour/numbers.ts';
import { Part, reactive } from '../part.ts';
import type { Wait } from '../state/engine-wait.ts';
import { strings } from '../strings/en.ts';

// Seconds after which it is said that something is computed, and offered to stop it.
const LONG = 1;

/** Says that something is being computed: the document, a comparison's other side, a cell; how far, and stops it. */
export class WaitingElement extends Part {
  /** For an engine beside the page's own. */
  @reactive wait: Wait | undefined;

  // height: 0: It comes over the page, which would move if it took room.
  static override styles = css`
    :host { position: sticky; top: 0; z-index: 4; display: block; height: 0; }
    div { position: absolute; top: var(--space-4); inset-inline-start: var(--space-12); display: flex;
      gap: var(--space-4); align-items: center;
      padding: var(--space-1) var(--space-2) var(--space-1) var(--space-6); width: max-content;
      border: 1px solid var(--line2); border-radius: var(--radius); background: var(--raised); }
    .time { min-width: 32px; text-align: end; color: var(--ink2); font-variant-numeric: tabular-nums; }
    progress { width: 72px; accent-color: var(--query); }
    @media (pointer: coarse) { div { inset-inline-start: var(--space-6); } }
  `;

  override render(): unknown {
    const { wait = this.store.wait } = this;
    if (wait.seconds < LONG) return nothing;
    const { share } = wait;
    // The time is for the eye; a reader who listens hears once that something runs, and finds how far it is.
    return html`<div><span role="status">${strings.computing}</span>${share === undefined ? nothing
      : html`<progress .value=${share} aria-label=${strings.computing}></progress><span class="time" data-part="share"
        aria-hidden="true">${percents(share, 1)}</span>`}<span class="time"
      aria-hidden="true">${strings.seconds(wait.seconds)}</span>
      <button class="text" data-part="stop" @click=${() => wait.stop()}>${strings.stopComputing}</button></div>`;
  }
}
customElements.define('ap-waiting', WaitingElement);
