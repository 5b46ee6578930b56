// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { MeasureRecord } from '../engine/types.ts';
import { Part, reactive } from '../part.ts';
import { recordWords } from '../strings/records.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { judgedStyles } from './judged-styles.ts';
import { findingRow } from './measure-row.ts';
import type { Finding, Judge } from './measure-runs.ts';
import type { Judged } from './messages.ts';
import { controlStyles } from './styles.ts';
import type { Desk } from './train-state.ts';
import { words } from './words.ts';

/** Measures of the model, one after another: a button that begins and stops, and each measure with what it tells. */
export abstract class JudgedPart extends Part {
  @reactive desk!: Desk;

  static override styles = [controlStyles, judgedStyles];

  protected abstract get judge(): Judge;

  protected get records(): readonly MeasureRecord[] {
    return this.store.book.catalogue.measures ?? [];
  }

  /** Measures these, or all that held-out examples give; so many examples. */
  protected async measure(ids?: readonly string[], examples?: number): Promise<void> {
    const subject = await this.desk.subject();
    if (subject) this.judge.begin(subject, ids, examples);
  }

  /** `name`: of the part; its button says `now`, or `finished` where the weights are those that came with it. */
  protected acts(name: string, able: boolean, now: string, finished: string, begin: () => Promise<void>,
    before: unknown = nothing): unknown {
    const { judge, desk } = this;
    return html`<p class="row-of">${before}${judge.busy ? html`<button class="button" data-part="stop-${name}"
        @click=${() => judge.stop()}>${words().stopMeasuring}</button>`
      : html`<button class="button" data-part=${name} ?disabled=${!able}
        @click=${() => void begin()}>${desk.showsFinished ? finished : now}</button>`}
        <span class="quiet" role="status">${this.said()}</span></p>
      ${judge.problem ? html`<p class="bad" role="alert">${words().notMeasured} <span
        lang="en">${judge.problem.message}</span></p>` : nothing}
      ${judge.ended ? html`<p class="bad" role="alert">${endedIn(judge.ended)}</p>` : nothing}`;
  }

  protected list(shown: readonly Finding[], more?: (found: Judged) => unknown): unknown {
    if (shown.length === 0) return nothing;
    return html`<ul class="judged">${shown.map(({ id, found }) =>
      findingRow(found!, this.records.find((one) => one.id === id), recordWords(this)?.measures[id],
        more?.(found!)))}</ul>`;
  }

  private said(): string {
    const { busy, picture, findings, count, subject } = this.judge;
    if (busy) return picture ? words().measuredOf(findings.length, count) : words().beginning;
    if (!subject || findings.length === 0) return '';
    return subject.step === undefined ? words().ofFinished : words().atStep(subject.step);
  }
}
