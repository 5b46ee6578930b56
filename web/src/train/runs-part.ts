// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing } from 'lit';
import { onLegend } from '../colour/numbers.ts';
import { Part, reactive } from '../part.ts';
import { inLine } from './changes.ts';
import { hasDashed, percent } from './curves.ts';
import type { Desk } from './train-state.ts';
import { History } from './history.ts';
import type { Measured } from './messages.ts';
import { type Run, runOf } from './runs.ts';
import { controlStyles, runStyles } from './styles.ts';
import { words } from './words.ts';

type Column = { name: string; of: (one: Measured) => number | undefined; shown: (value: number) => string;
  least?: boolean };

/**
 * The last runs beside the one under way: what changed from the first of them, and what each measures at the step that
 * is looked at.
 */
export class TrainRunsElement extends Part {
  @reactive desk!: Desk;

  static override styles = [controlStyles, runStyles];

  override render(): unknown {
    const { desk } = this;
    // Between two measurements nothing of it changes.
    void desk.training.turns;
    void desk.training.measured;
    const all = desk.comparable;
    if (all.length === 0) return nothing;
    const runs = desk.training.begun ? [...all, runOf(desk.runs.coming, desk.training)] : [...all];
    const first = runs[0]!;
    const here = runs.map((run) => History.at(run.measured, desk.training.looksAt));
    const columns = this.columns(here.some((one) => one && hasDashed(one)))
      .filter(({ of }) => here.some((one) => one && of(one) !== undefined));
    const best = columns.map(({ of, least }) => {
      const values = here.map((one) => one && of(one)).filter((value) => value !== undefined);
      return least ? minimum(values) : maximum(values);
    });
    return html`<h2>${words().runs}</h2><div
      class="wide"><table><thead><tr><th scope="col">${words().run}</th><th
      scope="col">${words().changedFrom(first.id)}</th>
        ${columns.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col"
          class="number">${words().atSteps}</th></tr></thead>
      <tbody>${runs.map((run, k) => html`<tr
        class=${run.id === desk.chosenRun ? 'chosen' : ''}><th
        scope="row"><button class="link" data-run=${run.id} aria-pressed=${run.id === desk.chosenRun}
        @click=${() => (desk.chosenRun = desk.chosenRun === run.id ? undefined : run.id)}>${run.id}</button></th>
        <td>${run === first ? words().theStart : inLine(this.store.book, first.document, run.document)}${
          run.failure === undefined ? nothing : html` <span class="bad" lang="en">${run.failure}</span>`}</td>
        ${columns.map(({ of, shown }, column) => {
          const value = here[k] && of(here[k]);
          return html`<td class="number">${
            value === undefined ? '–' : value === best[column] ? html`<b>${shown(value)}</b>` : shown(value)}</td>`;
        })}<td class="number">${here[k]?.step ?? 0}</td></tr>`)}</tbody></table></div>
      <p class="row-of">${this.chosen(all)}<button class="button" data-part="forget"
        @click=${() => desk.runs.forget(all)}>${words().forget}</button></p>`;
  }

  private columns(dashed: boolean): Column[] {
    return [
      { name: words().wordsRight, of: (one) => one.accuracy, shown: percent },
      { name: words().looksRight, of: (one) => one.alignment, shown: percent },
      ...(dashed ? [{ name: words().orAgrees, of: ({ agrees }: Measured) => agrees, shown: percent }] : []),
      { name: words().loss, of: (one) => one.heldOutLoss, shown: onLegend, least: true },
    ];
  }

  private chosen(all: readonly Run[]): unknown {
    const run = all.find(({ id }) => id === this.desk.chosenRun);
    return run ? html`<button class="button" data-part="make-mine"
      @click=${() => this.desk.take(run.document)}>${words().makeMine}</button>` : nothing;
  }
}
customElements.define('ap-train-runs', TrainRunsElement);
