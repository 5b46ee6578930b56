// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { load } from '../engine/load.ts';
import { Part, reactive } from '../part.ts';
import { selectAt } from '../select.ts';
import { arrow } from '../strings/language.ts';
import { digits, fixed, typedNumber } from '../strings/numerals.ts';
import { inPoints, percent } from './curves.ts';
import type { Desk } from './train-state.ts';
import { byHand, finished, type Patched, watching } from './hand.ts';
import { judgedStyles } from './judged-styles.ts';
import { columnsOf, rowNames, rowOf, toldApart } from './map-words.ts';
import { learned } from './maps.ts';
import type { Picture, TrainingDocument } from './messages.ts';
import { controlStyles } from './styles.ts';
import { readWeights } from '../files/weights.ts';
import { words } from './words.ts';

/** A weight that is this far from the one that was asked for was not reached, and the page says so. */
const AMISS = 0.02;

/** One weight of the map is set by hand: what does the model say then? */
export class TrainHandElement extends Part {
  @reactive desk!: Desk;
  @reactive picture!: Picture;
  @reactive weight = 0.9;
  @reactive found: Patched | undefined = undefined;
  @reactive asIs: Patched | undefined = undefined;
  @reactive busy = false;
  @reactive problem: string | undefined = undefined;
  /** The weight that was asked for, of what was found. */
  private asked: { row: number; column: number; weight: number } | undefined;

  static override styles = [controlStyles, judgedStyles];

  override render(): unknown {
    const { picture, desk } = this;
    const cell = this.cellNow();
    return html`<p class="row-of"><b>${words().byHand}</b>
        ${selectAt(toldApart(rowNames(picture, desk.chosen.map)), cell.row, (row) => (desk.cell = { ...cell, row }),
          { part: 'hand-row', label: words().handRow })}
        <span class="quiet">${arrow()}</span>${selectAt(toldApart(columnsOf(picture, desk.chosen.map)), cell.column,
          (column) => (desk.cell = { ...cell, column }), { part: 'hand-column', label: words().handColumn })}
        <input inputmode="decimal" size="4" aria-label=${words().handWeight} .value=${digits(this.weight, 4)}
          @change=${this.typed} />
        <button class="button" data-part="hand" ?disabled=${this.busy || desk.training.begun === undefined}
          @click=${() => void this.attempt(cell)}>${this.busy ? words().measuring : words().handTry}</button></p>
      ${this.problem === undefined ? nothing : html`<p class="bad" role="alert">${words().notMeasured} <span
        lang="en">${this.problem}</span></p>`}
      ${this.found && this.asIs ? this.shown(this.found, this.asIs) : nothing}`;
  }

  // Until a cell of this map is chosen, the row that writes the answer: the first row of a decoder sees a single word.
  private cellNow(): { row: number; column: number } {
    const { picture, desk: { chosen, cell } } = this;
    const [, rows, columns] = picture.maps[chosen.map]!.shape;
    return cell && cell.row < rows && cell.column < columns ? cell
      : { row: Math.max(0, rowOf(picture, chosen.map, 0)), column: 0 };
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
    const { weights, shape: [, columns] } = found;
    const reached = this.asked && weights[this.asked.row * columns! + this.asked.column]!;
    const right = (one: Patched) => one.words.filter((word, k) => word === picture.truth[k]).length;
    return html`<div class="judged"><div class="more" data-part="patched">
        <figure>${learned(map, { map: 0, head: undefined })}<figcaption>${
          picture.maps[this.desk.chosen.map]!.shape[0] > 1 ? words().handMean : words().handMap}</figcaption></figure>
        <div class="wide"><table class="strip"><thead><tr><td></td><th scope="col">${words().handSays}</th><th
          scope="col">${picture.outside ? words().sureOutside : words().sure}</th><th
          scope="col">${words().changeInPoints}</th></tr></thead>
          <tbody>${picture.truth.map((word, k) =>
            html`<tr><th scope="row">${word}</th><td
              class=${found.words[k] === word || picture.outside ? '' : 'bad'}>${found.words[k]}</td><td>${
                percent(found.chance[k])}</td><td>${
                  inPoints(found.chance[k]! - asIs.chance[k]!)}</td></tr>`)}</tbody></table></div></div>
      <p role="status">${reached !== undefined && Math.abs(reached - this.asked!.weight) > AMISS
        ? html`<span data-part="not-reached">${words().handNotReached(fixed(this.asked!.weight, 2),
          fixed(reached, 2))}</span> ` : nothing}${picture.outside ? nothing
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
      const asked = { ...cell, weight: this.weight };
      this.found = await byHand(client, this.store.book, model, map, asked, picture.truth);
      this.asked = asked;
    } catch (problem) {
      this.problem = problem instanceof Error && problem.message ? problem.message : words().handNot;
    } finally {
      client.close();
      this.busy = false;
    }
  }
}
customElements.define('ap-train-hand', TrainHandElement);
