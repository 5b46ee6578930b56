// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { measured } from '../measured.ts';
import { Part, reactive } from '../part.ts';
import { type Axis, lossCurve, mapCurves, moreCurves, paintBands, shareCurve, stepAt, sureBands } from './curves.ts';
import type { Desk } from './train-state.ts';
import { curveStyles } from './styles.ts';
import { words } from './words.ts';

const LEAST = 300;
const MOST = 860;

/** Loss, what is right, and when each word came, on one axis; dragging over any of them moves the thumb. */
export class TrainCurvesElement extends Part {
  @reactive desk!: Desk;
  @reactive wide: number = MOST;
  @reactive more = false;

  static override styles = curveStyles;

  constructor() {
    super();
    measured(this, (width) => {
      if (width > 0) this.wide = Math.max(LEAST, Math.min(MOST, width));
    });
  }

  private get axis(): Axis {
    const { training } = this.desk;
    return { width: this.wide, steps: Math.max(training.begun?.steps ?? 1, training.step), looksAt: training.looksAt,
      now: training.step };
  }

  override render(): unknown {
    const { training } = this.desk;
    void training.news;
    const { axis } = this;
    const { comparable, chosenRun } = this.desk;
    const beside = comparable.map(({ id, measured: own }) =>
      ({ name: String(id), chosen: id === chosenRun, measured: own }));
    // Of others the one share that says most: where they look, if that is known.
    const of = training.lastMeasured?.alignment === undefined ? 'accuracy' : 'alignment';
    const name = this.more ? words().fewerCurves : words().moreCurves;
    return html`<div class="curves" @pointerdown=${this.drag}
      @pointermove=${(e: PointerEvent) => e.buttons === 1 && this.drag(e)}>
      ${lossCurve(training.history, axis, beside)}${shareCurve(training.history, axis, beside, of)}${
        sureBands(training.history, axis)}${this.more ? html`${mapCurves(training.history, axis)}${
        moreCurves(training.history, axis)}` : nothing}</div>
      <p class="note" data-part="loss-note">${words().lossNote} ${this.hides ? words().hiddenNote : nothing}</p>
      <button class="link" data-part="more-curves" aria-expanded=${this.more}
        @click=${() => (this.more = !this.more)}>${name}</button>`;
  }

  // What is hidden in training is there when a model is measured.
  private get hides(): boolean {
    const { training } = this.desk.document;
    return ['word-dropout', 'dropout'].some((name) => Number(training[name] ?? 0) > 0);
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    if (canvas) paintBands(canvas, this.desk.training.history, this.axis, this.theme);
  }

  private readonly drag = (event: PointerEvent) => {
    const panel = (event.target as Element).closest('.panel');
    if (panel) this.desk.training.look(stepAt(this.axis, event.clientX - panel.getBoundingClientRect().left));
  };
}
customElements.define('ap-train-curves', TrainCurvesElement);
