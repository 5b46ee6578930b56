// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { slid } from '../controls/slider-gesture.ts';
import { Later } from '../lazy-fetch.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import type { Json } from '../engine/types.ts';
import { get } from '../engine/pointer.ts';
import { prose } from '../strings/prose.ts';
import { phrase } from '../strings/quote.ts';
import { digits, percent } from '../strings/numerals.ts';
import { recordWords } from '../strings/records.ts';
import { filled, slider } from '../styles/slider.ts';
import type { Desk } from './train-state.ts';
import { misfitSaid, TaskFits } from './task-fits.ts';
import { documents } from './documents.ts';
import type { Problem, TaskKnob, TaskRecord } from './messages.ts';
import { engineAt, openAlone, workersForOne } from './open.ts';
import { fittingTasks, onTask, setOfTask, taskValue } from './other-task.ts';
import { divided, estimators, finer, finerOfSchedule, fromShare, help, learning, ofTask, optimiserOf, optimisers,
  remove, scheduleOf, schedules, type Setting, share, stops, typed, valueOf, withOptimiser } from './settings.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

const own = new Later(() => import('./own-part.ts'));
/** The entry of the menu that is no document: the reader's own data. */
const OWN = 'own';
/** What stands before the entries that are tasks. */
const TASK = 'task:';

type Told = keyof ReturnType<typeof words>;

/** What a training is made of: its task, how it learns, what helps and hinders, and where it starts. */
export class TrainSideElement extends Part {
  @reactive desk!: Desk;
  /** Whether the finer settings are shown. */
  @reactive more = false;
  /** The task that was chosen and does not fit. */
  @reactive unfit: string | undefined;
  private readonly fits = new TaskFits(openAlone, engineAt);

  static override styles = [slider, controlStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.fits.close();
  }

  override render(): unknown {
    const { desk } = this;
    const { begun } = desk.training;
    // Whoever comes near the menu is about to open it.
    const ask = () => void this.fits.ask(desk.trained, this.others());
    return html`<section class="group"><h2>${words().task}</h2>
        <select data-part="task" aria-label=${words().task} @pointerenter=${ask} @pointerdown=${ask} @focus=${ask}
          @change=${(e: Event) => this.choose((e.target as HTMLSelectElement).value)}>${this.tasks()}</select>
        ${this.unfit === undefined ? nothing
          : html`<p class="bad" role="alert" data-part="unfit">${this.unfit}</p>`}
        ${desk.draft.open && own.use(this) ? html`<ap-train-own .desk=${desk}></ap-train-own>` : this.task()}
        ${begun ? html`${plain(words().learnsFrom,
          begun.learnsFrom > 0 ? words().examples(begun.learnsFrom) : words().drawn)}
          ${plain(words().keptApart, words().examples(begun.heldOut))}
          ${plain(words().learns, words().numbers(begun.weights))}` : nothing}</section>
      <section class="group"><h2>${words().learning}</h2>${this.optimiser()}${
        this.sliders(learning)}${this.finer()}</section>
      <section class="group"><h2>${words().help}</h2>${this.sliders(help)}${this.estimator()}</section>
      <section class="group"><h2>${words().stopAt}</h2>${this.sliders(stops(desk.training.links))}</section>
      <section class="group"><h2>${words().start}</h2>${this.seed()}</section>`;
  }

  // Whoever opens the menu by a key or a finger has come near it too late: a new model is asked about at once.
  override updated(): void {
    const { desk, desk: { training: { begun } } } = this;
    const of = begun && JSON.stringify([desk.trained.mechanism, desk.trained['model'], begun.task]);
    if (of === undefined || of === this.asked) return;
    this.asked = of;
    // What did not fit the training before says nothing about this one.
    this.unfit = undefined;
    void this.fits.ask(desk.trained, this.others());
  }
  private asked: string | undefined;

  private get record(): TaskRecord | undefined {
    const { begun } = this.desk.training;
    return begun?.tasks?.find(({ id }) => id === begun.task);
  }

  private tasks(): unknown {
    const { desk } = this;
    const { title } = desk.document;
    const { open } = desk.draft;
    const all = [...documents].map(([name, one]) =>
      html`<option value=${name}
      .selected=${live(!open && one.title === title)}>${phrase(String(one.title))}</option>`);
    const others = this.others();
    if (others.length > 0) all.push(html`<optgroup label=${words().sameModel}>${others.map((one) => {
      const problem = this.fits.problem(one.id);
      return html`<option value=${TASK + one.id} ?disabled=${problem !== undefined}
        .selected=${live(false)}>${problem ? this.unfitSaid(one, problem) : this.titleOf(one)}</option>`;
    })}</optgroup>`);
    all.push(html`<option value=${OWN} .selected=${live(open)}>${words().own.entry}</option>`);
    // A reader's own stands first, and choosing it changes nothing.
    return [...documents.values()].some((one) => one.title === title) ? all
      : [html`<option value="" disabled .selected=${live(!open)}>${phrase(String(title))}</option>`, ...all];
  }

  private others(): TaskRecord[] {
    const { begun } = this.desk.training;
    return fittingTasks(begun?.tasks ?? [], begun?.task);
  }

  private titleOf({ id, title }: TaskRecord): string {
    return recordWords(this)?.tasks[id]?.title ?? title;
  }

  private choose(name: string): void {
    const { desk } = this;
    const task = desk.training.begun?.tasks?.find(({ id }) => TASK + id === name);
    desk.draft.open = name === OWN;
    this.unfit = undefined;
    // The example to watch is one of the task's, which the engine draws.
    if (task) return void this.trainOn(task);
    if (name !== OWN) return desk.choose(name);
    desk.draft.begin(desk.document);
    void own.wanted();
  }

  // A task that does not fit is not begun, whatever tab is open: the reason is written where it was chosen.
  private async trainOn(task: TaskRecord): Promise<void> {
    const { desk, desk: { document } } = this;
    await this.fits.ask(desk.trained, this.others());
    if (desk.document !== document) return;
    const problem = this.fits.problem(task.id);
    if (problem) {
      this.unfit = this.unfitSaid(task, problem);
      return;
    }
    desk.trainOn(divided(onTask(document, task, this.titleOf(task)), workersForOne()), null);
  }

  private unfitSaid(task: TaskRecord, problem: Problem): string {
    return `${this.titleOf(task)}: ${misfitSaid(problem)}`;
  }

  // What is to be done and what a reader sees when it is learned, and the task's own settings.
  private task(): unknown {
    const { record } = this;
    if (!record) return nothing;
    const own = recordWords(this)?.tasks[record.id];
    const { says, shows } = own ? { says: own.sentence, shows: own.shows } : record;
    return html`<p class="quiet about" data-part="about-task">${prose(says ?? '')} ${prose(shows ?? '')}</p>${
      record.knobs.filter(({ name }) => name !== 'text').map((knob) => this.knob(knob))}`;
  }

  private knob(knob: TaskKnob): unknown {
    const { desk } = this;
    const name = phrase(knob.title ?? knob.name);
    const put = (value: Json, gesture?: string) => desk.edit((draft) => setOfTask(draft, knob, value), gesture);
    const value = taskValue(desk.document, knob);
    if (knob.type === 'text') return html`<label class="row plain"><span class="quiet">${name}</span><input
      data-knob=${knob.name} .value=${String(value)}
      @change=${(e: Event) => put((e.target as HTMLInputElement).value.trim())} /></label>`;
    const setting = ofTask(knob);
    if (setting.whole && setting.least === 0 && setting.most === 1) return html`<label class="row plain"><span
      class="quiet">${name}</span><span><input type="checkbox" data-knob=${knob.name} .checked=${value === 1}
      @change=${(e: Event) => put((e.target as HTMLInputElement).checked ? 1 : 0)} /></span></label>`;
    return this.slider(setting, name, put);
  }

  private menu(part: Told, now: string, entries: readonly (readonly [string, string])[],
    put: (value: string) => void): unknown {
    const name = words()[part] as string;
    return html`<div class="row plain"><span class="quiet">${name}</span>${
      select(entries, now, put, { part, label: name })}</div>`;
  }

  private optimiser(): unknown {
    const { desk } = this;
    return this.menu('optimiser', optimiserOf(desk.document), Object.entries(optimisers),
      (type) => desk.put('/training/optimiser', withOptimiser(desk.document, type)));
  }

  // What few change: it is there, and out of the way.
  private finer(): unknown {
    const { desk } = this;
    const { document } = desk;
    return html`<button class="link" data-part="finer" aria-expanded=${this.more}
      @click=${() => (this.more = !this.more)}>${this.more ? words().fewerSettings : words().moreSettings}</button>${
      this.more ? html`${this.sliders(finer(document))}${this.menu('schedule', scheduleOf(document),
        schedules.map((id) => [id, words().schedules[id]] as const),
        (type) => desk.put('/training/schedule/type', type))}${this.sliders(finerOfSchedule(document))}` : nothing}`;
  }

  // Only where a look is drawn is there a choice of how it learns; the mechanism has one of its own.
  private estimator(): unknown {
    const { desk } = this;
    const draws = this.store.book.choices(desk.document)
      .some(({ mechanism }) => mechanism?.knobs.some(({ name }) => name === 'estimator'));
    if (!draws) return nothing;
    const now = get(desk.document, '/training/estimator');
    return this.menu('estimator', typeof now === 'string' ? now : '',
      [['', words().estimatorOwn], ...estimators.map((id) => [id, words().estimators[id]] as const)],
      (id) => desk.put('/training/estimator', id === '' ? undefined : id));
  }

  private seed(): unknown {
    const { desk } = this;
    const put = (value: number) => desk.put('/seed', Math.max(0, Math.floor(value) || 0));
    return html`<div class="row"><span class="quiet">${words().seed}</span>
      <button class="link" data-part="draw" @click=${() => put(Math.random() * 1e6)}>${words().drawAgain}</button>
      <input aria-label=${words().seed} inputmode="numeric" .value=${String(desk.document['seed'] ?? 0)}
        @change=${(e: Event) => put(Number((e.target as HTMLInputElement).value))} /></div>`;
  }

  private sliders(all: readonly Setting[]): unknown {
    return all.map((one) => this.slider(one, words()[one.name as Told] as string));
  }

  private slider(setting: Setting, name: string, set?: (value: number, gesture?: string) => void): unknown {
    const { desk } = this;
    const value = valueOf(desk.document, setting);
    const put = set ?? ((next: number, gesture?: string) =>
      (next === setting.none ? desk.edit((draft) => remove(draft, setting.path), gesture)
        : desk.put(setting.path, next, gesture)));
    const text = value === setting.none ? '–' : setting.percent ? percent(digits(100 * value, 6)) : digits(value, 6);
    const id = setting.path.replaceAll('/', '-');
    return html`<div class="row" data-setting=${setting.path}><span class="quiet" id=${id}>${name}</span>
      <input type="range" min="0" max="1" step="0.005" aria-labelledby=${id}
        aria-valuetext=${value === setting.none ? words().off : text}
        .value=${String(share(setting, value))} ${filled(share(setting, value))} ${slid(this.store.documents)}
        @input=${(e: Event) => put(fromShare(setting, Number((e.target as HTMLInputElement).value)), setting.path)} />
      <input inputmode="decimal" aria-labelledby=${id} .value=${text} @change=${(e: Event) => {
        const next = typed(setting, (e.target as HTMLInputElement).value);
        if (Number.isFinite(next)) put(next);
        else this.requestUpdate();
      }} /></div>`;
  }
}
const plain = (name: string, value: string): unknown =>
  html`<div class="row plain"><span class="quiet">${name}</span><span>${value}</span></div>`;
customElements.define('ap-train-side', TrainSideElement);
