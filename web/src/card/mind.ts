// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import { Later } from '../lazy-fetch.ts';
import { Part } from '../part.ts';
import { isTrained } from '../state/writer.ts';
import { titleOf } from '../state/model.ts';
import { strings } from '../strings/en.ts';
import { about, untrained } from './about.ts';
import { cardStyles } from './card.styles.ts';
import { rank, type Rank } from '../turns.ts';

const origins = new Later(() => import('../state/random-parameters.ts'));
const systems = new Later(() => import('../gallery/system-sentences.ts'));

/** Where the page has no room for the card: what to keep in mind about its numbers, as one sentence that unfolds. */
export class MindElement extends Part {
  static override styles = [cardStyles, css`
    :host { padding: 0; }
    summary { color: var(--ink2); font-size: var(--text-note); padding-block: var(--space-2); }
    @media (pointer: coarse) { summary { min-height: var(--finger); align-content: center; } }
  `];

  // It is above the picture, which would move if it came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { store } = this;
    const { document, base } = store.documents;
    const trained = isTrained(document);
    const drawn = trained ? undefined : origins.use(this);
    const [first] = trained ? [strings.about.why] : untrained(store, drawn);
    // Until its numbers are here the line has its height and its title.
    return html`<details><summary data-part="mind">${first ?? strings.about.title}</summary>
      <h2 class="unseen">${strings.explanation}</h2>${
        about(store, systems.use(this)?.measuredAs(store, titleOf(base), this), drawn)}</details>`;
  }
}
customElements.define('ap-mind', MindElement);
