// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from 'lit';
import { maximum, minimum } from '../lists.ts';
import { live } from 'lit/directives/live.js';
import '../elements/heat-element.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { strings } from '../strings/en.ts';
import { fixed } from '../strings/numerals.ts';
import { Abilities, type Able } from './trainable-options.ts';
import { type Widened, widthFor } from './equal-widths.ts';
import { type Axis, axesOf, firstOf, goTogether, type Option, SEEDS } from './axes.ts';
import choices from './choices.json';
import { percent } from './curves.ts';
import { factsOf } from './map-facts.ts';
import type { Desk } from './train-state.ts';
import { plain } from './learnable.ts';
import { planeOf } from './maps.ts';
import type { Picture, TrainingDocument } from './messages.ts';
import { asTime } from './pace.ts';
import { scheduleOf } from './settings.ts';
import type { Cell } from './several.ts';
import type { Asked } from './lengths-part.ts';
import './lengths-part.ts';
import { controlStyles, severalStyles } from './styles.ts';
import { seedsAlong } from './spread.ts';
import { spreadTables } from './spread-tables.ts';
import { words } from './words.ts';

const SMALL = 10;
/** So many options of a choice are ticked at first: what is here, and another that works in its place. */
const SHOWN = 2;
/** The efficient form that is asked for which widths a model needs. */
const WIDE = 'linear';
/** What is compared first, where it can be chosen. */
const FIRST: Readonly<Record<string, readonly string[]>> = choices.several;
const MOST = 5;
// Of seeds, which differ in nothing else, more are ticked.
const mostOf = ({ path }: Axis): number => (path === '/seed' ? SEEDS : MOST);
/** So many steps show which models learn faster. */
const FEWER = 400;
/** In place of a path: only one choice varies. */
const NOTHING = 'nothing';
const SPARK = { width: 80, height: 26 };

// What the models come from: if it changes, those that are shown are no longer those of the choice above them.
const choiceOf = (document: TrainingDocument, down: Axis, rows: readonly Option[], columns: readonly Option[]) =>
  JSON.stringify([plain(document), down.path, ...[rows, columns].map((options) => options.map(({ id }) => id))]);

/** Several models at once: two choices vary, everything else is the same; small maps on one scale, at one step. */
export class TrainSeveralElement extends Part {
  @reactive desk!: Desk;
  /** The paths of what varies, down and across. */
  @reactive axes: [string, string] = ['', ''];
  @reactive picked: Readonly<Record<string, readonly string[]>> = {};
  @reactive steps = 0;

  static override styles = [controlStyles, severalStyles];

  override render(): unknown {
    const { desk } = this;
    const { planned } = desk;
    if (planned) {
      // A preset said what to vary; from here on it is the reader's.
      this.axes = planned.axes;
      this.picked = { ...this.picked, ...planned.picked };
      this.first = {};
      queueMicrotask(() => (desk.planned = undefined));
    }
    const all = axesOf(this.store.book, desk.document);
    const [down, across] = this.both(all);
    const [rows, columns] = [this.options(down), this.across(across)];
    const { filled } = this;
    if (filled) for (const one of [down, across])
      void this.abilities.ask(this.store.book, filled, one, one.options);
    const { several } = desk;
    const count = rows.length * columns.length;
    const choice = choiceOf(desk.document, down, rows, columns);
    const cells = several.about(desk.document) ? several.cells : [];
    const ended = cells.map(({ training }) => training.ended).find((how) => how !== undefined);
    const whole = Number(desk.document.training.steps ?? FEWER);
    const steps = this.steps || Math.min(FEWER, whole);
    return html`<h2>${words().several}</h2><p class="quiet">${words().severalSays}</p>
      <div class="axes">${this.axis(words().down, 0, down, all)}${this.axis(words().across, 1, across,
        all.filter((one) => goTogether(one, down)))}
        <div class="steps"><label>${words().steps}<input inputmode="numeric" .value=${String(steps)}
          @change=${(e: Event) => (this.steps =
            Math.max(1, Math.floor(Number((e.target as HTMLInputElement).value)) || 0))} /></label>
          ${steps < whole ? html`<p class="quiet" data-part="fewer">${words().fewerSteps(whole)} ${
              scheduleOf(desk.document) === 'constant' ? nothing : words().fewerSchedule}
            <button class="link" data-part="all-steps"
              @click=${() => (this.steps = whole)}>${words().useSteps(whole)}</button></p>` : nothing}</div></div>
      <p class="row-of"><button class="button go" data-part="begin-several" ?disabled=${count === 0}
        @click=${() => several.begin(desk.document, rows, columns, steps, choice)}>${words()
          .beginSeveral(count)}</button>
        ${count === 0 ? html`<span class="quiet" role="status">${words().tickOne}</span>` : nothing}
        ${cells.length === 0 ? nothing : html`<button class="button" data-part="pause-several"
          ?disabled=${several.finished} @click=${() => (several.playing ? several.pause() : void several.play())}>${
          several.playing ? words().pause : words().play}</button>
          <button class="button" data-part="save-runs" ?disabled=${several.playing}
          @click=${() => void this.save()}>${words().saveRuns}</button>`}</p>
      ${cells.length === 0 ? nothing : html`<p class="quiet" data-part="runs-say">${words().runsSay}</p>`}
      ${cells.length > 0 && several.choice !== choice
        ? html`<p role="status" data-part="before">${words().severalBefore}</p>` : nothing}
      ${cells.length === 0 ? nothing : this.progress()}
      ${ended ? html`<p class="bad" role="alert" data-part="ended">${endedIn(ended)}</p>` : nothing}
      ${cells.length === 0 ? nothing : this.grid()}${cells.length > 0 && several.chosen
        ? this.detail(several.chosen) : nothing}
      ${cells.length > 0 && several.finished ? html`<ap-train-lengths .desk=${desk}
        .several=${this.asked(cells)}></ap-train-lengths>` : nothing}`;
  }

  // At first what the map itself depends on most: how two rows are compared, and how scores become weights.
  private both(all: Axis[]): [Axis, Axis] {
    const of = (which: 0 | 1, kind: string, taken?: Axis) => {
      const free = all.filter((one) => one !== taken && (!taken || goTogether(one, taken)));
      return free.find(({ path }) => path === this.axes[which]) ?? free.find((one) => one.kind === kind) ?? free[0]!;
    };
    const down = of(0, 'score');
    const across = of(1, 'alignment', down);
    return [down, across];
  }

  private known: Abilities | undefined;

  private get abilities(): Abilities {
    return (this.known ??= new Abilities(this.store.client, () => this.requestUpdate()));
  }

  // The document with all that its task gives it, as long as it is the one whose training began.
  private get filled() {
    const { desk } = this;
    return desk.training.document === '' || desk.edited ? undefined : desk.training.begun?.document;
  }

  private able(axis: Axis, option: Option): Able | undefined {
    return this.filled ? this.abilities.able(axis, option) : undefined;
  }

  private chosen(axis: Axis): readonly string[] {
    const able = axis.options.filter((one) => this.able(axis, one)?.refusal === undefined).map(({ id }) => id);
    const wanted = (FIRST[axis.kind] ?? []).filter((id) => able.includes(id));
    const others = [...new Set([...wanted, ...able])].filter((id) => id !== axis.now).slice(0, SHOWN - 1);
    return this.picked[axis.path]?.filter((id) => able.includes(id)) ?? [axis.now, ...others];
  }

  // Those that are ticked when a choice comes into sight are at its top, where they stay: nothing moves under a
  // pointer.
  private ahead(axis: Axis): readonly string[] {
    return (this.first[axis.path] ??= this.chosen(axis));
  }
  private first: Record<string, readonly string[]> = {};

  private options(axis: Axis): Option[] {
    const chosen = this.chosen(axis);
    return axis.options.filter(({ id }) => chosen.includes(id))
      .toSorted((a, b) => Number(b.id === axis.now) - Number(a.id === axis.now))
      .map((option) => this.able(axis, option)?.option ?? option);
  }

  // Where only one choice is to vary, what the document has stays.
  private across(axis: Axis): Option[] {
    return this.axes[1] === NOTHING ? axis.options.filter(({ id }) => id === axis.now) : this.options(axis);
  }

  private axis(title: string, which: 0 | 1, axis: Axis, all: Axis[]): unknown {
    const chosen = this.chosen(axis);
    const none = which === 1 && this.axes[1] === NOTHING;
    const toggle = (id: string) => {
      const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
      if (next.length <= mostOf(axis)) this.picked = { ...this.picked, [axis.path]: next };
      else this.requestUpdate();
    };
    return html`<fieldset><legend>${title}</legend>
      ${select([...all.map(({ path, name }) => [path, name] as const),
        ...(which === 0 ? [] : [[NOTHING, words().varyNothing] as const])], none ? NOTHING : axis.path,
        (path) => (this.axes = which === 0 ? [path, this.axes[1]] : [this.axes[0], path]),
        { part: `axis-${which}`, label: title })}
      <div class="options" role="group" ?hidden=${none}
        aria-label=${axis.name}>${firstOf(axis.options, this.ahead(axis)).map((one) => {
          const { id, label } = one;
          const able = this.able(axis, one);
          return html`<label><input type="checkbox" data-option=${id}
            .checked=${live(chosen.includes(id))}
            ?disabled=${able?.refusal !== undefined || (!chosen.includes(id) && chosen.length >= mostOf(axis))}
            @change=${() => toggle(id)} />${able?.option?.label ?? label}</label>`;
        })}</div>${none ? nothing : this.refused(axis)}</fieldset>`;
  }

  // Why options cannot be chosen: each reason once, and of several reasons that of most options first.
  private refused(axis: Axis): unknown {
    const reasons = new Map<string, string[]>();
    for (const option of axis.options) {
      const why = this.able(axis, option)?.refusal?.replace(/^"[^"]+": /, '');
      if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), option.label]);
    }
    if (reasons.size === 0) return nothing;
    return html`${this.widen(axis)}<div class="quiet" data-part="refused">${[...reasons]
      .toSorted(([, a], [, b]) => b.length - a.length).map(([why, labels]) => html`<details><summary>${
        words().cannot(labels.length)} <span lang="en">${why}</span></summary>${labels.join(strings.comma)}</details>`)
      }</div>`;
  }

  private widened: { of: unknown; found?: Widened | undefined } | undefined;

  // Most efficient forms need queries as wide as keys, which another size of the decoder gives them.
  private widen(axis: Axis): unknown {
    const { filled } = this;
    const option = axis.options.find(({ id }) => id === WIDE);
    if (axis.kind !== 'core' || !filled || !option || this.able(axis, option)?.refusal === undefined) return nothing;
    if (this.widened?.of !== filled) {
      const asked: { of: unknown; found?: Widened | undefined } = this.widened = { of: filled };
      void widthFor(this.store.client, this.store.book, filled, axis, option)
        .then((found) => ((asked.found = found), this.requestUpdate()));
    }
    const found = this.widened.found;
    return found ? html`<p class="quiet">${words().widthsDiffer}
      <button class="link" data-part="equal-widths" @click=${() => this.desk.put(found.path, found.width)}>${
      words().useWidth(found.width)}</button></p>` : nothing;
  }

  private grid(): unknown {
    const { several } = this.desk;
    const rows = [...new Set(several.cells.map(({ row }) => row))];
    const columns = [...new Set(several.cells.map(({ column }) => column))];
    return html`<div class="wide"><table class="grid"
      aria-label=${words().several}><thead><tr><td></td>${
      columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr><th
        scope="row">${row.label}</th>${
        several.cells.filter((cell) => cell.row === row)
        .map((cell) => html`<td>${this.cell(cell)}</td>`)}</tr>`)}</tbody></table></div>
      <p class="quiet" data-part="spark-legend">${this.key('line', words().wordsRight)}${
        several.cells.some(({ training }) => training.lastMeasured?.alignment !== undefined)
          ? this.key('line looks', words().looksRight) : nothing}${
        words().sparkAxes(several.steps)} ${this.samples()}</p>${
        several.finished ? spreadTables(several.cells) : nothing}`;
  }

  // An accuracy is measured on fewer examples while the models learn than at their last step.
  private samples(): unknown {
    const { cells } = this.desk.several;
    const all = maximum(cells.map(({ training }) => training.begun?.heldOut ?? 0), 0);
    const some = minimum(cells.flatMap(({ training }) => training.history.measured.map(({ heldOut }) => heldOut)), all);
    return some < all ? words().samples(some, all) : nothing;
  }

  private key(style: string, text: string): unknown {
    return html`<span class="curve"><svg width="18" height="6" aria-hidden="true"><path class=${style} d="M0 3H18" />
      </svg>${text}</span>`;
  }

  private progress(): unknown {
    const { done, of, models, left } = this.desk.several.progress;
    const { length } = this.desk.several.cells;
    return html`<p class="row-of progress" data-part="progress"><progress max=${of} .value=${done}
      aria-label=${words().several}></progress><span class="quiet">${
      words().modelsDone(models, length)}${strings.comma}${words().stepsInAll(done, of)}${left === undefined ? nothing
      : html`${strings.comma}${words().timeLeft(asTime(left))}`}</span></p>`;
  }

  private async save(): Promise<void> {
    const [{ save }, { savedName }, { runsAsCsv }] = await Promise.all([import('../state/save.ts'),
      import('../take/saved-name.ts'), import('./csv.ts')]);
    save(new Blob([runsAsCsv(this.desk.several.cells)], { type: 'text/csv' }),
      savedName(this, 'csv', words().runs, this.desk.document));
  }

  // Models that differ in their seed alone have one line together.
  private asked(cells: readonly Cell[]): Asked[] {
    const seeds = seedsAlong(cells);
    return cells.filter(({ training }) => training.problem === undefined && training.failure === undefined)
      .map(({ row, column, training }) => ({ training, name: seeds === 'column' ? row.label
        : seeds === 'row' ? column.label : `${row.label}, ${column.label}` }));
  }

  private cell(cell: Cell): unknown {
    const { training, row, column } = cell;
    void training.news;
    const last = training.history.measured.at(-1);
    const picture = training.history.pictures.at(-1);
    const why = training.problem?.message ?? training.failure;
    return html`<button class="cell ${why === undefined ? '' : 'failed'}"
      aria-pressed=${this.desk.several.chosen === cell} @click=${() => (this.desk.several.chosen = cell)}>
      <span class="unseen">${row.label}${strings.comma}${column.label}</span>
      ${why === undefined ? nothing : html`<span class="why" lang="en">${why}</span>`}
      ${picture && why === undefined ? this.small(picture) : nothing}
      ${last && why === undefined ? html`<span
        class="of">${last.alignment === undefined ? nothing
        : html`<span><b class="weight">${percent(last.alignment)}</b> ${words().looksRight}</span>`}<span><b>${
        percent(last.accuracy)}</b> ${words().wordsRight}</span>${picture ? this.facts(picture) : nothing}${
        this.spark(cell)}</span>` : nothing}</button>`;
  }

  private facts(picture: Picture): unknown {
    const { first, entropy } = factsOf(picture);
    return html`${first === undefined ? nothing : html`<span data-part="first-key">${
      words().onFirstKey(percent(first))}</span>`}${entropy === undefined ? nothing
      : html`<span data-part="entropy">${words().entropyOf(fixed(entropy, 2))}</span>`}`;
  }

  private small(picture: Picture): unknown {
    if (picture.maps.length === 0) return nothing;
    const plane = planeOf(picture, { map: 0, head: undefined });
    return html`<ap-heat .plane=${plane} .domain=${[0, 1]} .w=${plane.cols * SMALL}
      .h=${plane.rows * SMALL}></ap-heat>`;
  }

  private spark({ training }: Cell): unknown {
    const { steps } = this.desk.several;
    const line = (of: 'accuracy' | 'alignment', style: string) =>
      svg`<polyline class=${style} points=${training.history.measured.filter((one) => one[of] !== undefined)
      .map((one) => `${((one.step / steps) * SPARK.width).toFixed(1)},${(1 + (1 - one[of]!) * (SPARK.height - 2))
      .toFixed(1)}`).join(' ')} />`;
    return html`<svg width=${SPARK.width} height=${SPARK.height} direction="ltr"
      aria-hidden="true">${line('accuracy', 'line')}${line('alignment', 'line looks')}</svg>`;
  }

  private detail(cell: Cell): unknown {
    const { row, column, training } = cell;
    const last = training.history.measured.at(-1);
    return html`<section class="detail"
      aria-label=${`${row.label}, ${column.label}`}><h3>${row.label}, ${column.label}</h3>
      <p class="quiet" role="status">${
        words().says(training.step, percent(last?.accuracy),
        last?.alignment === undefined ? undefined : percent(last.alignment))}</p>
      <p class="row-of"><button class="button" data-part="make-mine"
        ?disabled=${training.phase === 'playing' || training.phase === 'refused'}
        @click=${() => void this.desk.adopt(cell)}>${words().makeMine}</button></p></section>`;
  }
}
customElements.define('ap-train-several', TrainSeveralElement);
