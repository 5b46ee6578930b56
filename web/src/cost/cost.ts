// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { css, html } from 'lit';
import '../decoding-memory/memory-view.ts';
import '../efficient/curves.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { jobsOf } from './jobs.ts';
import './part-table.ts';
import './spread-growth.ts';

/**
 * What a document costs: how time and memory grow with its words, and how widely its attention is spread over them;
 * what it keeps to go on, and what each part takes.
 */
export class CostElement extends Part {
  static override styles = css`
    :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-7);
      padding: 0 var(--space-10) var(--space-10); }
  `;

  override render(): unknown {
    const all = jobsOf(this.store);
    // Of two, the letters are explained beside the charts of growth.
    const jobs = all.map(({ letter, name, document }) => ({ name: all.length > 1 ? letter : name(), document }));
    return html`<p class="quiet">${strings.cost.about}</p><ap-growth></ap-growth>
      <ap-spread-growth></ap-spread-growth>
      <ap-kept .jobs=${jobs}></ap-kept><ap-cost-parts></ap-cost-parts>
      <p class="note">${strings.cost.honest}</p>`;
  }
}
customElements.define('ap-cost', CostElement);
