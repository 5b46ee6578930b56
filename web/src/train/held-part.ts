// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import type { Desk } from './train-state.ts';
import type { Held } from './messages.ts';
import { controlStyles, heldStyles } from './styles.ts';
import { words } from './words.ts';

/** Examples that nothing was learned from, and what the model wrote to them at the step that is looked at. */
export class TrainHeldElement extends Part {
  @reactive desk!: Desk;

  static override styles = [controlStyles, heldStyles];

  override render(): unknown {
    const { training } = this.desk;
    const written = training.measured?.written;
    const { held } = training.history;
    if (!written || held.length === 0) return nothing;
    return html`<h2>${words().held}</h2><ul class="held">${held.map((one, k) =>
      this.line(one, written[k] ?? []))}</ul>`;
  }

  private line({ asked, truth }: Held, written: readonly string[]): unknown {
    const read = asked.filter(([, all]) => all.length > 0);
    return html`<li><span class="read" dir="auto">${read.map(([field, all], k) => html`${k > 0 ? html`<span
      class="quiet" lang="en"> ${field} </span>` : nothing}${all.join(' ')}`)}</span>
      <span class="written" dir="auto">${truth.map((word, k) => (written[k] === word ? html`<span
        class="word">${word}</span>` : html`<span class="word"><b class="bad">${written[k] || '–'}</b> <span
        class="quiet">${words().not(word)}</span></span>`))}</span></li>`;
  }
}
customElements.define('ap-train-held', TrainHeldElement);
