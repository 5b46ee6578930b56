// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { recordWords } from '../strings/records.ts';
import type { Desk } from './train-state.ts';
import { judgedStyles } from './judged-styles.ts';
import { findingRow } from './measure-row.ts';
import type { Phase } from './training.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

/** So many are enough for intervals of a few hundredths, and take seconds. */
const EXAMPLES = 200;

/** What held-out examples say of the model: each measure with its interval, and what it can and cannot tell. */
export class TrainMeasuresElement extends Part {
  @reactive desk!: Desk;
  private phaseBefore: Phase | undefined;

  static override styles = [controlStyles, judgedStyles];

  override render(): unknown {
    const { desk } = this;
    const { measures, training } = desk;
    const records = new Map((this.store.book.catalogue.measures ?? []).map((record) => [record.id, record]));
    const translated = recordWords(this)?.measures;
    const able = training.begun !== undefined;
    const shown = measures.findings.filter(({ found }) => found && (found.value !== null || found.infinite));
    return html`<h2>${words().measures}</h2><p class="quiet says">${words().measuresSay(EXAMPLES)}</p>
      <p class="row-of">${measures.busy
        ? html`<button class="button" data-part="stop-measures"
        @click=${() => measures.stop()}>${words().stopMeasuring}</button>`
        : html`<button class="button" data-part="measure-now" ?disabled=${!able}
        @click=${() => void this.measure()}>${desk.showsFinished ? words().measureFinished : words()
          .measureNow}</button>`}
        <span class="quiet" role="status">${this.said()}</span></p>
      ${measures.problem ? html`<p class="bad" role="alert">${words().notMeasured} <span
        lang="en">${measures.problem.message}</span></p>` : nothing}
      ${measures.ended ? html`<p class="bad" role="alert">${endedIn(measures.ended)}</p>` : nothing}
      ${shown.length === 0 ? nothing
        : html`<ul class="judged">${shown.map(({ id, found }) =>
        findingRow(found!, records.get(id), translated?.[id]))}</ul>`}`;
  }

  private said(): string {
    const { measures } = this.desk;
    if (measures.busy) return measures.picture ? words().measuredOf(measures.findings.length, measures.count) : words()
      .beginning;
    if (!measures.subject || measures.findings.length === 0) return '';
    return measures.subject.step === undefined ? words().ofFinished : words().atStep(measures.subject.step);
  }

  private async measure(): Promise<void> {
    const { desk } = this;
    const subject = await desk.subject();
    if (subject) desk.measures.begin(subject, undefined, EXAMPLES);
  }

  // What was learned is measured when it is learned, if somebody saw it happen.
  override updated(): void {
    const { training, measures } = this.desk;
    const { phase } = training;
    if (this.phaseBefore === 'playing' && phase === 'finished' && !measures.busy) void this.measure();
    this.phaseBefore = phase;
  }
}
customElements.define('ap-train-measures', TrainMeasuresElement);
