// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { whole } from '../strings/numerals.ts';
import { Desk } from './encoder-state.ts';
import { megabytes } from './loading.ts';
import { modelBytes, modelStage, ships } from './model.ts';
import { words } from './words.ts';

/** What the model is, where it comes from, and under which licence. */
export class EncoderFactsElement extends Part {
  static override styles = css`
    :host { display: block; padding: var(--space-6) var(--space-8); border-bottom: 1px solid var(--line); }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    dl { margin-top: var(--space-3); }
    div { display: flex; justify-content: space-between; gap: var(--space-4); padding: var(--space-2) 0;
      border-bottom: 1px solid var(--line); }
    dt { color: var(--ink2); }
    dd { text-align: end; font-weight: 600; }
  `;

  override render(): unknown {
    if (!ships) return nothing;
    const layers = Desk.of(this.store).layers();
    const stage = modelStage();
    const size = megabytes(modelBytes());
    const { facts } = words();
    const rows: [string, unknown][] = [
      [facts.heads, layers.length > 0 ? `${layers.length} × ${layers[0]!.heads}` : '2 × 4'],
      [facts.parameters, whole(ships.numbers)],
      [facts.download, stage.is === 'here' && stage.kept ? words().offline(size) : words().online(size)],
      [facts.licence, html`<a href=${ships.licence} target="_blank" rel="noopener">Apache-2.0</a>`],
      [facts.precision, words().int8],
    ];
    return html`<h2>${ships.title}</h2><p class="note">${words().about}</p>
      <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      <p class="note">${words().int8Note}</p><p class="note" dir="ltr">${ships.source}</p>`;
  }
}
customElements.define('ap-encoder-facts', EncoderFactsElement);
