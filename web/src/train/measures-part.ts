// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { JudgedPart } from './judged-part.ts';
import type { Judge } from './measure-runs.ts';
import type { Phase } from './training.ts';
import { words } from './words.ts';

/** So many are enough for intervals of a few hundredths, and take seconds. */
const EXAMPLES = 200;

/** What held-out examples say of the model: each measure with its interval, and what it can and cannot tell. */
export class TrainMeasuresElement extends JudgedPart {
  private phaseBefore: Phase | undefined;

  protected override get judge(): Judge {
    return this.desk.measures;
  }

  private readonly all = () => this.measure(undefined, EXAMPLES);

  override render(): unknown {
    return html`<h2>${words().measures}</h2><p class="quiet says">${words().measuresSay(EXAMPLES)}</p>${
      this.acts('measures', this.desk.training.begun !== undefined, words().measureNow, words().measureFinished,
        this.all)}${
      this.list(this.judge.findings.filter(({ found }) => found && (found.value !== null || found.infinite)))}`;
  }

  // What was learned is measured when it is learned, if somebody saw it happen.
  override updated(): void {
    const { phase } = this.desk.training;
    if (this.phaseBefore === 'playing' && phase === 'finished' && !this.judge.busy) void this.all();
    this.phaseBefore = phase;
  }
}
customElements.define('ap-train-measures', TrainMeasuresElement);
