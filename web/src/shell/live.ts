// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { full } from '../colour/numbers.ts';
import { naming } from '../directory/naming.ts';
import { inWords } from '../flow/highlight.ts';
import { Part, property } from '../part.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { digits } from '../strings/numerals.ts';
import { inside } from '../strings/language.ts';

// Below this a card writes a power of ten, which a screen reader spells out; smaller ones stay powers.
const [SMALL, TINY] = [0.001, 1e-6];

const heard = (value: number): string => (Math.abs(value) < SMALL && Math.abs(value) >= TINY ? digits(value, 3)
  : full(value));

// What is pointed at or locked, in words and its number, and whether that is locked.
function told(store: Store): unknown {
  const target = store.selection.hover ?? store.selection.lock;
  const value = target && store.numberAt(target);
  if (!target || value === undefined) return '';
  const tensor = store.sessions.result?.find(target.tensor, target.group);
  const { index, group } = target;
  // Of a step nobody says what its axes are.
  const where = group === 'steps' ? `${strings.position(index.at(-2) ?? 0, index.at(-1)!)} `
    : inWords(store, target) + strings.comma;
  return html`<span>${where}${inside(tensor ? naming(tensor).one : '')}</span> <b dir="ltr">${heard(value)}</b>${
    JSON.stringify(target) === JSON.stringify(store.selection.lock) ? html`<i class="unseen">${strings.comma}${
      inside(strings.locked)}</i>` : ''}`;
}

/** The cell that is pointed at or locked, said to who hears the page and, where it is `seen`, written for all. */
export class LiveElement extends Part {
  @property({ type: Boolean }) seen!: boolean;

  static override styles = css`
    :host([seen]) { min-width: 0; }
    .live { color: var(--ink2); display: flex; gap: var(--space-2); min-width: 0; white-space: nowrap; }
    .live span { overflow: hidden; text-overflow: ellipsis; font-size: var(--text-note); }
    .live b { font-weight: 600; color: var(--ink); }
  `;

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    return html`<span class=${this.seen ? 'live' : 'unseen'} role="status" aria-live="polite">${
      told(this.store)}</span>`;
  }
}
customElements.define('ap-live', LiveElement);
