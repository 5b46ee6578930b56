// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import { inPoints, percent } from './curves.ts';
import type { Desk } from './train-state.ts';
import type { Measures } from './messages.ts';
import { type Trial, trialsOf } from './trials.ts';
import { controlStyles, runStyles } from './styles.ts';
import { words } from './words.ts';

/** What the model loses when something else stands in one place, and nothing is learned anew. */
export class TrainAblateElement extends Part {
  @reactive desk!: Desk;
  @reactive found: readonly { trial: Trial; measures?: Measures; problem?: string }[] = [];
  @reactive asIs: Measures | undefined = undefined;
  @reactive busy = false;

  static override styles = [controlStyles, runStyles];

  override render(): unknown {
    const { training } = this.desk;
    const able = (training.phase === 'ready' || training.phase === 'finished') && !this.busy;
    return html`<h2>${words().ablate}</h2><p class="quiet says">${words().ablateSays}</p>
      <p class="row-of"><button class="button" data-part="ablate" ?disabled=${!able}
        @click=${() => void this.measure()}>${this.busy ? words().measuring : words().measure}</button></p>
      ${this.found.length === 0 ? nothing : this.table()}`;
  }

  private table(): unknown {
    const good = this.found.filter(({ measures }) => measures !== undefined);
    return html`<div class="wide"><table><thead><tr><th scope="col">${words().instead}</th><th scope="col"
      class="number">${words().wordsRight}</th><th scope="col" class="number">${
        words().changeInPoints}</th></tr></thead>
      <tbody>${good.toSorted((a, b) => b.measures!.accuracy - a.measures!.accuracy)
        .map(({ trial, measures }) =>
        html`<tr data-trial=${trial.id}><th scope="row">${trial.name}</th><td
        class="number">${percent(measures!.accuracy)}</td>
        <td class="number">${this.asIs ? inPoints(measures!.accuracy - this.asIs.accuracy)
          : ''}</td></tr>`)}</tbody></table></div>`;
  }

  private async measure(): Promise<void> {
    const { desk } = this;
    const trials = trialsOf(this.store.book, desk.trained);
    this.busy = true;
    this.found = [];
    await desk.training.tryOut(trials.map(({ document, patch }) =>
      ({ document: JSON.stringify(document), ...(patch ? { patch } : {}) })), ({ at, measures, problem }) => {
      const trial = trials[at]!;
      if (trial.id === '') this.asIs = measures;
      this.found = [...this.found, { trial, ...(measures ? { measures } : {}),
        ...(problem ? { problem: problem.message } : {}) }];
    });
    this.busy = false;
    this.store.trainings.tried.value = this.found.filter(({ trial, measures }) => trial.patch && measures).length;
  }
}
customElements.define('ap-train-ablate', TrainAblateElement);
