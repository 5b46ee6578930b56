// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { load } from '../engine/load.ts';
import { Part } from '../part.ts';
import { arrow } from '../strings/language.ts';
import { digits, typedNumber } from '../strings/numerals.ts';
import { base, fields } from '../styles/tokens.ts';
import { inPoints, percent } from './curves.ts';
import type { Desk } from './desk.ts';
import { byHand, finished, type Patched, watching } from './hand.ts';
import { judgedStyles } from './judged-styles.ts';
import { columnsOf, rowNames } from './map-words.ts';
import { learned } from './maps.ts';
import type { Picture, TrainingDocument } from './messages.ts';
import { controlStyles } from './styles.ts';
import { readWeights } from '../files/weights.ts';
import { words } from './words.ts';

/** One weight of the map is set by hand: what does the model say then? */
export class TrainHandElement extends Part {
  static override properties = { ...Part.properties, desk: { attribute: false }, picture: { attribute: false },
    weight: { state: true }, found: { state: true }, asIs: { state: true }, busy: { state: true },
      problem: { state: true } };
  declare desk: Desk;
  declare picture: Picture;
  declare weight: number;
  declare found: Patched | undefined;
  declare asIs: Patched | undefined;
  declare busy: boolean;
  declare problem: string | undefined;

  static override styles = [base, fields, controlStyles, judgedStyles];

  constructor() {
    super();
    this.weight = 0.9;
    this.found = this.asIs = this.problem = undefined;
    this.busy = false;
  }

  override render(): unknown {
    const { picture, desk } = this;
    const cell = desk.cell ?? { row: 0, column: 0 };
    const menu = (part: string, label: string, list: readonly string[], at: number, put: (k: number) => void) =>
      html`<select data-part=${part} aria-label=${label}
        @change=${(e: Event) => put((e.target as HTMLSelectElement).selectedIndex)}>
      ${list.map((word, k) => html`<option ?selected=${k === at}>${word}</option>`)}</select>`;
    return html`<p class="row-of"><b>${words().byHand}</b>
        ${menu('hand-row', words().handRow, rowNames(picture, desk.chosen.map), cell.row,
          (row) => (desk.cell = { ...cell, row }))}
        <span class="quiet">${arrow()}</span>${menu('hand-column', words().handColumn,
          columnsOf(picture, desk.chosen.map), cell.column, (column) => (desk.cell = { ...cell, column }))}
        <input inputmode="decimal" size="4" aria-label=${words().handWeight} .value=${digits(this.weight, 4)}
          @change=${this.typed} />
        <button class="button" data-part="hand" ?disabled=${this.busy || desk.training.begun === undefined}
          @click=${() => void this.attempt(cell)}>${this.busy ? words().measuring : words().handTry}</button></p>
      ${this.problem === undefined ? nothing : html`<p class="bad" role="alert">${words().notMeasured} <span
        lang="en">${this.problem}</span></p>`}
      ${this.found && this.asIs ? this.shown(this.found, this.asIs) : nothing}`;
  }

  private readonly typed = (event: Event) => {
    const value = typedNumber((event.target as HTMLInputElement).value);
    if (Number.isFinite(value)) this.weight = Math.min(1, Math.max(0, value));
    this.requestUpdate();
  };

  private shown(found: Patched, asIs: Patched): unknown {
    const { picture } = this;
    const map: Picture = { ...picture, maps: [{ ...picture.maps[this.desk.chosen.map]!, name: '',
      shape: [1, found.shape[0]!, found.shape[1]!] }],
      weights: found.weights };
    const right = (one: Patched) => one.words.filter((word, k) => word === picture.truth[k]).length;
    return html`<div class="judged"><div class="more" data-part="patched">
        <figure>${learned(map, { map: 0, head: undefined })}<figcaption>${words()
          .handMap}</figcaption></figure>
        <div class="wide"><table class="strip"><thead><tr><td></td><th scope="col">${words().handSays}</th><th
          scope="col">${picture.outside ? words().sureOutside : words().sure}</th><th
          scope="col">${words().changeInPoints}</th></tr></thead>
          <tbody>${picture.truth.map((word, k) =>
            html`<tr><th scope="row">${word}</th><td
              class=${found.words[k] === word || picture.outside ? '' : 'bad'}>${found.words[k]}</td><td>${
                percent(found.chance[k])}</td><td>${
                  inPoints(found.chance[k]! - asIs.chance[k]!)}</td></tr>`)}</tbody></table></div></div>
      <p role="status">${picture.outside ? nothing
        : words().handRight(right(asIs), right(found), picture.truth.length)} ${found.follows
        ? html`<span class="quiet">${words().handFollows}</span>` : nothing}</p></div>`;
  }

  private async attempt(cell: { row: number; column: number }): Promise<void> {
    const { desk, picture } = this;
    this.busy = true;
    this.found = this.problem = undefined;
    const client = load();
    try {
      // The training as it stands, whose map is shown, with the example that is watched.
      const { training } = desk;
      const weights = await training.save(false);
      if (!weights) return;
      const { metadata } = readWeights(weights);
      const document = JSON.parse(metadata['document'] ?? training.document) as TrainingDocument;
      const model = watching(finished(document, weights), training.begun?.document ?? desk.trained);
      const map = picture.maps[desk.chosen.map]!.name;
      this.asIs = await byHand(client, this.store.book, model, map, { ...cell, weight: undefined }, picture.truth);
      this.found = await byHand(client, this.store.book, model, map, { ...cell, weight: this.weight }, picture.truth);
    } catch (problem) {
      this.problem = problem instanceof Error && problem.message ? problem.message : words().handNot;
    } finally {
      client.close();
      this.busy = false;
    }
  }
}
customElements.define('ap-train-hand', TrainHandElement);
