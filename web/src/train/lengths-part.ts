// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from 'lit';
import { Part, reactive } from '../part.ts';
import type { Lengths } from '../state/trained.ts';
import { percent } from './curves.ts';
import type { Desk } from './train-state.ts';
import { byLength, spanOf } from './lengths.ts';
import { controlStyles, lengthStyles } from './styles.ts';
import type { Training } from './training.ts';
import { words } from './words.ts';

/** So many kinds of models have lines that differ in colour or in dashes. */
const KINDS = 6;
const [WIDE, TALL, LEFT, RIGHT, ROOM] = [300, 120, 44, 12, 22];

interface Measured extends Lengths {
  /** Those of one name are runs of one kind. */
  name: string;
}

/** A training, and the name of the line that it belongs to. */
export interface Asked {
  name: string;
  training: Training;
}

/** How much is right at each length: a line for each kind of model, and a thin one for each run of it. */
export class TrainLengthsElement extends Part {
  @reactive desk!: Desk;
  /** Undefined: the training under way. */
  @reactive several: readonly Asked[] | undefined = undefined;
  @reactive found: readonly Measured[] = [];
  @reactive done: { now: number; all: number } | undefined = undefined;

  static override styles = [controlStyles, lengthStyles];

  private get asked(): readonly Asked[] {
    const { runs, training } = this.desk;
    return this.several ?? [{ name: `${words().run} ${runs.coming}`, training }];
  }

  override render(): unknown {
    const asked = this.asked.filter(({ training }) => training.begun && training.problem === undefined);
    for (const { training } of asked) void training.turns;
    if (!asked.some(({ training }) => spanOf(training.begun?.knobs ?? []))) return nothing;
    const still = asked.every(({ training }) => (training.phase === 'ready' || training.phase === 'finished')
      && !training.untaken);
    return html`<h2>${words().byLength}</h2><p class="quiet says">${words().byLengthSays}</p>
      <p class="row-of"><button class="button" data-part="by-length" ?disabled=${!still || this.done !== undefined}
        @click=${() => void this.measure(asked)}>${words().byLength}</button>
        <span class="quiet" role="status">${this.done ? words()
          .measuredOf(this.done.now, this.done.all) : ''}</span></p>
      ${this.found.length === 0 ? nothing : this.chart()}`;
  }

  private async measure(asked: readonly Asked[]): Promise<void> {
    if (this.several) this.found = [];
    this.done = { now: 0, all: asked.length };
    for (const [k, { name, training }] of asked.entries()) {
      const lengths = await byLength(training,
        (now, all) => (this.done = { now: k * all + now, all: asked.length * all }));
      // Nobody plays it on: its worker is no longer needed.
      if (this.several) training.rest();
      if (lengths) this.found = [...this.found.filter((one) => this.several !== undefined || one.name !== name),
        { ...lengths, name }];
    }
    this.done = undefined;
    this.store.trainings.lengths.value = this.found;
  }

  private chart(): unknown {
    const { found } = this;
    const lengths = [...new Set(found.flatMap(({ points }) => points.map(({ length }) => length)))].toSorted((a, b) =>
      a - b);
    const [from, to] = [lengths[0] ?? 0, Math.max((lengths.at(-1) ?? 1), (lengths[0] ?? 0) + 1)];
    const x = (length: number) => LEFT + ((length - from) / (to - from)) * (WIDE - LEFT - RIGHT);
    const y = (share: number) => 8 + (1 - share) * TALL;
    const line = (points: Lengths['points'], style: string) =>
      svg`<polyline class=${style} points=${
        points.map(({ length, accuracy }) => `${x(length).toFixed(1)},${y(accuracy).toFixed(1)}`).join(' ')} />`;
    const names = [...new Set(found.map(({ name }) => name))];
    const kinds = names.map((name, k) =>
      ({ name, k, points: lengths.map((length) =>
        ({ length, accuracy: mean(found.filter((one) => one.name === name)
          .flatMap(({ points }) => points.filter((point) => point.length === length))) }))
          .filter(({ accuracy }) => !Number.isNaN(accuracy)) }));
    const examples = [...new Set(found.flatMap(({ points }) => points.flatMap(({ heldOut }) => heldOut ?? [])))];
    const spoken = kinds.map(({ name, points }) =>
      `${name}: ${points.map(({ length, accuracy }) => `${length}, ${percent(accuracy)}`).join('; ')}`).join('. ');
    return html`<div class="both"><svg class="lengths" width=${WIDE} height=${TALL + 8 + ROOM} role="img"
      aria-label=${`${words().byLength}. ${spoken}`} direction="ltr">
        ${[1, 0.5, 0].map((share) => svg`<path class="grid" d="M${LEFT} ${y(share)}H${WIDE - RIGHT}" /><text
          class="tick" x=${LEFT - 6} y=${y(share) + 4} text-anchor="end">${percent(share)}</text>`)}
        ${lengths.map((length) => svg`<text class="tick" x=${x(length)} y=${TALL + 24}
          text-anchor="middle">${length}</text>`)}
        ${names.length < found.length ? found.map(({ points }) => line(points, 'one')) : nothing}${
          kinds.map(({ points, k }) => line(points, `mean kind${k % KINDS}`))}</svg>
      <div class="wide"><table><thead><tr><th
        scope="col">${words().length}</th>${
          lengths.map((length) => html`<th scope="col" class="number">${length}</th>`)}</tr></thead>
        <tbody>${kinds.map(({ name, points, k }) =>
          html`<tr><th scope="row"><span
            class="key kind${k % KINDS}"></span>${name}</th>${
              lengths.map((length) => html`<td
                class="number">${percent(points.find((point) =>
                  point.length === length)?.accuracy)}</td>`)}</tr>`)}</tbody></table></div></div>
      <p class="quiet" data-part="length-examples">${examples.length === 1 ? words().lengthExamples(examples[0]!)
        : nothing} ${names.length < found.length ? words().lengthMeans : nothing}</p>`;
  }
}
const mean = (points: Lengths['points']): number => points.reduce((sum, { accuracy }) => sum + accuracy,
  0) / points.length;
customElements.define('ap-train-lengths', TrainLengthsElement);
