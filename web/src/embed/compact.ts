// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import '../card/card.ts';
import './choice.ts';
import '../controls/panel.ts';
import '../flow/flow.ts';
import '../inputs/inputs.ts';
import '../shell/steps.ts';
import { measured } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import type { Choice } from '../state/catalogue.ts';
import { join } from '../engine/pointer.ts';
import { linkOf } from '../state/hash.ts';
import { strings } from '../strings/en.ts';

const ROOM_FOR_TWO = 620;

/** The page for the middle of another page: one matrix, its explanation, one choice with its first slider. */
export class CompactElement extends Part {
  @reactive hide!: Set<string>;
  @reactive lock!: Set<string>;
  /** Where the whole page lies; without it there is no link to it. */
  @property() home: string | undefined;
  @reactive wide!: boolean;

  static override styles = css`
    :host { display: block; overflow: hidden; }
    .two { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); align-items: start; }
    ap-steps { border-bottom: 1px solid var(--line); }
    .side { display: flex; flex-direction: column; min-width: 0; }
    .two .side { border-inline-start: 1px solid var(--line); }
    ap-card { padding-bottom: var(--space-2); }
    .controls { padding: var(--space-4) var(--space-8) var(--space-6); border-top: 1px solid var(--line); }
    footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--space-2) var(--space-8);
      padding: var(--space-3) var(--space-8); border-top: 1px solid var(--line); }
    footer a { color: inherit; min-height: 24px; display: inline-flex; align-items: center;
      text-underline-offset: 3px; }
  `;

  constructor() {
    super();
    measured(this, (width) => (this.wide = width >= ROOM_FOR_TWO));
  }

  override render(): unknown {
    const { store, hide } = this;
    const seed = store.value('/seed');
    const random = Object.values(store.documents.document.inputs).some((input) => {
      const features = input['features'];
      return features !== null && typeof features === 'object' && !Array.isArray(features)
        && features['type'] === 'embedding';
    });
    return html`${hide.has('inputs') ? nothing : html`<ap-inputs bare ?inert=${this.lock.has('inputs')}></ap-inputs>`}
      <div class=${this.wide && !store.comparison.on ? 'two' : ''}>
        <div>${hide.has('steps') ? html`<ap-live></ap-live>` : html`<ap-steps tabs></ap-steps>`}
          <ap-flow bare ?told=${!hide.has('inputs')}></ap-flow></div>
        <div class="side">${hide.has('card') ? nothing : html`<ap-card></ap-card>`}
          ${hide.has('controls') ? nothing : this.controls()}</div>
      </div>
      <footer class="note"><span>${random && typeof seed === 'number' ? strings.randomFeatures(String(seed))
        : ''}</span>
        ${this.home ? html`<a href="${this.home}#${linkOf(store)}" target="_blank"
          rel="noopener">${strings.openWhole}</a>` : nothing}</footer>`;
  }

  private controls(): unknown {
    const choice = this.choice();
    const knob = choice?.mechanism?.knobs.find((k) => k.type === 'number' || k.type === 'integer');
    if (!choice) return nothing;
    return html`<div class="controls" ?inert=${this.lock.has('controls')}>
      <ap-choice .choice=${choice}></ap-choice>
      ${knob ? html`<ap-knob .knob=${knob} .of=${choice.mechanism}
        .path=${choice.path + join(knob.name)} data-path=${choice.path + join(knob.name)}></ap-knob>` : nothing}</div>`;
  }

  // The choice that a weight hangs on most directly: of those with one value, what makes weights of scores.
  private choice(): Choice | undefined {
    const single = this.store.book.choices(this.store.documents.document)
      .filter(({ slot }) => !slot.list && !slot.only);
    return single.find(({ slot }) => slot.kind === 'alignment') ?? single[0];
  }
}
customElements.define('ap-compact', CompactElement);
