// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { Doc } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import { chosenFiles } from '../files/chosen-files.ts';
import { namedFile } from '../files/weights-origin.ts';
import { madeSaid } from '../learned/origin-sentences.ts';
import { measured } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import { lectures, places } from '../places/places.ts';
import { parametersCalled } from '../state/path-names.ts';
import { endedIn } from '../strings/worker-ended.ts';
import { phrase } from '../strings/quote.ts';
import './bar.ts';
import { inLine } from './changes.ts';
import './curves-part.ts';
import './ablate-part.ts';
import './retrain-part.ts';
import { type Desk, deskOf, leaveDesk } from './train-state.ts';
import './runs-part.ts';
import './lengths-part.ts';
import './several-part.ts';
import './pinned-example.ts';
import './side.ts';
import './why-part.ts';
import type { Side, Tab } from './train-view.ts';
import { controlStyles, heldStyles, placeStyles } from './styles.ts';
import { triesFor } from './suggestions.ts';
import { unlearned } from './why-wrong.ts';
import { savedFrom } from './take-over.ts';
import { words } from './words.ts';
import type { Held } from './messages.ts';
import { JudgedPart } from './judged-part.ts';
import type { Judge } from './measure-runs.ts';
import type { Phase } from './training.ts';

/** So many are enough for intervals of a few hundredths, and take seconds. */
const EXAMPLES = 200;

/** What held-out examples say of the model: each measure with its interval, and what it can and cannot tell. */
class TrainMeasuresElement extends JudgedPart {
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

/** Examples that nothing was learned from, and what the model wrote to them at the step that is looked at. */
class TrainHeldElement extends Part {
  @reactive desk!: Desk;

  static override styles = [controlStyles, heldStyles];

  override render(): unknown {
    const { training } = this.desk;
    const written = training.measured?.written;
    const { held } = training.history;
    if (!written || held.length === 0) return nothing;
    return html`<h2>${words().held}</h2><ul class="held">${held.map((one, k) =>
      this.line(one, written[k] ?? []))}</ul>`;
  }

  private line({ asked, truth }: Held, written: readonly string[]): unknown {
    const read = asked.filter(([, all]) => all.length > 0);
    return html`<li><span class="read" dir="auto">${read.map(([field, all], k) => html`${k > 0 ? html`<span
      class="quiet" lang="en"> ${field} </span>` : nothing}${all.join(' ')}`)}</span>
      <span class="written" dir="auto">${truth.map((word, k) => (written[k] === word ? html`<span
        class="word">${word}</span>` : html`<span class="word"><b class="bad">${written[k] || '–'}</b> <span
        class="quiet">${words().not(word)}</span></span>`))}</span></li>`;
  }
}
customElements.define('ap-train-held', TrainHeldElement);

const NARROW = 760;

function titled(document: Doc): string | undefined {
  const title = titleOf(document);
  return title === undefined ? undefined : phrase(title);
}

const button = (part: string, text: string, press: () => unknown, able = true): unknown =>
  html`<button class="button" data-part=${part} ?disabled=${!able} @click=${() => void press()}>${text}</button>`;

const tabs = <Name extends string>(label: string, names: Readonly<Record<Name, string>>, now: Name,
  choose: (name: Name) => void): unknown => html`<nav class="tabs" aria-label=${label}>${
  (Object.keys(names) as Name[]).map((name) => html`<button data-tab=${name} aria-pressed=${name === now}
    @click=${() => choose(name)}>${names[name]}</button>`)}</nav>`;

/**
 * The place where a model learns while one watches: its map, what it wrote and the truth, and all moments of it on one
 * axis.
 */
export class TrainElement extends Part {
  @property({ type: Boolean, reflect: true }) narrow = false;
  private desk: Desk | undefined;

  static override styles = [controlStyles, placeStyles];

  constructor() {
    super();
    measured(this, (width) => {
      if (width > 0) this.narrow = width < NARROW;
    });
  }

  /** What it shows at first is here, or why it is not. */
  get ready(): boolean {
    const { phase, picture, problem } = this.desk?.training ?? {};
    return picture !== undefined || problem !== undefined || phase === 'refused';
  }

  override willUpdate(): void {
    this.desk ??= deskOf(this.store);
    void this.store.learn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const { store, desk } = this;
    const page = (this.getRootNode() as ShadowRoot).host ?? document.querySelector('attention-playground');
    this.desk = undefined;
    // Elsewhere on the page it goes on; without the page nobody could stop it.
    queueMicrotask(() => (page?.isConnected === false ? leaveDesk(store) : desk?.rest()));
  }

  override render(): unknown {
    const { desk, narrow } = this;
    if (!desk) return nothing;
    const shown = html`<ap-train-shown .desk=${desk} ?narrow=${narrow}></ap-train-shown>`;
    const curves = html`<ap-train-curves .desk=${desk}></ap-train-curves><ap-train-held
      .desk=${desk}></ap-train-held><ap-train-runs
      .desk=${desk}></ap-train-runs><ap-train-ablate .desk=${desk}></ap-train-ablate>
      <ap-train-lengths .desk=${desk}></ap-train-lengths><ap-train-measures .desk=${desk}></ap-train-measures>`;
    const why = html`<ap-train-again ?narrow=${narrow}
      .desk=${desk}></ap-train-again><ap-train-why .desk=${desk}></ap-train-why>`;
    const settings = html`<ap-train-side .desk=${desk}></ap-train-side>${this.tries()}${this.keeping()}`;
    const several = html`<ap-train-several .desk=${desk}></ap-train-several>`;
    const parts: Record<Tab, unknown> =
      { map: html`${shown}${why}`, curves, settings: html`${settings}<ap-panel></ap-panel>`, several };
    const side = desk.side === 'mechanism' ? html`<ap-panel></ap-panel>` : settings;
    return html`${narrow ? nothing
      : html`<aside class="settings" aria-label=${words().settings}>${this.sides()}${side}</aside>`}
      <main class="middle" aria-label=${words().middle}>
        ${narrow ? this.tabs() : nothing}
        <div class="scroll"><slot></slot>${(narrow ? desk.tab : desk.side) === 'several' ? nothing : this.notices()}${
          narrow ? parts[desk.tab] : desk.side === 'several' ? several : html`${shown}${why}${curves}`}</div>
        ${desk.training.looksBack ? this.back() : nothing}</main>
      ${(narrow ? desk.tab : desk.side) === 'several' ? nothing
        : html`<ap-train-bar role="region" aria-label=${words().time} .desk=${desk}
        ?narrow=${narrow}></ap-train-bar>`}`;
  }

  private sides(): unknown {
    const desk = this.desk!;
    const names: Record<Side, string> =
      { training: words().settings, mechanism: words().mechanism, several: words().several };
    return tabs(words().sides, names, desk.side, (side) => (desk.side = side));
  }

  private tabs(): unknown {
    const desk = this.desk!;
    return tabs<Tab>(words().views, words().tabs, desk.tab, (tab) => (desk.tab = tab));
  }

  // What the reader has to know or to decide before going on.
  private notices(): unknown {
    const desk = this.desk!;
    const { training } = desk;
    // A reader's own data say beside them what is wrong with them, where they are to be seen.
    const besideIt = desk.draft.open && desk.ownProblem !== undefined
      && (this.narrow ? desk.tab === 'settings' : desk.side === 'training');
    const able = training.phase === 'ready' || training.phase === 'finished' || training.phase === 'playing';
    const begins = desk.edited && training.untaken;
    const [page, trained] = [this.store.documents.document, desk.document].map(titled);
    return html`${desk.standsIn ? html`<p class="note" data-part="stands-in">${words().standsIn(page, trained)}</p>`
        : nothing}
      ${desk.resumed ? html`<p class="note" data-part="resumed">${words().resumed}</p>` : nothing}
      ${training.untaken && training.phase === 'ready' && training.fitted === undefined && training.picture?.maps.length
        ? html`<p class="note idle">${
        this.narrow ? words().idleNarrow : words().idle}</p>` : nothing}
      ${training.failure === undefined ? nothing
        : html`<p class="bad" role="alert"
        data-part="failure">${words().failed} <span lang="en">${training.failure}</span></p>`}
      ${training.reached === undefined ? nothing
        : html`<p class="note" role="status" data-part="reached">${words().reached(training.reached)}</p>`}
      ${unlearned(training)}
      ${training.problem === undefined || besideIt ? nothing
        : html`<p class="bad" role="alert"
        data-part="problem">${training.refusedTitle === training.trained.title ? words().refused
          : words().refusedOther(phrase(String(training.refusedTitle)))} <span
        lang="en">${training.problem.path} ${training.problem.message}</span></p>`}
      ${training.ended === undefined ? nothing : html`<p class="bad" role="alert"
        data-part="ended">${endedIn(training.ended)} ${
        able && training.step > 0 ? words().keptUntil(training.step) : ''}</p>`}
      ${desk.edited && !begins ? html`<div class="notice" data-part="edited"><p role="status">${this.changed()}</p>
        <p class="row-of">${button('again', words().startAgain, () => desk.startAgain([]))}${
          able ? this.keepOn()
          : nothing}</p></div>` : nothing}
      ${training.fitted && training.untaken ? html`<p class="note" role="status"
        data-part="fitted">${madeSaid(training.fitted.made)} ${words().fitting(training.fitted.kept.length,
        training.fitted.kept.length + training.fitted.drawn.length)} ${
        training.fitted.drawn.length === 0 ? '' : words().fittingNew(parametersCalled(
          this.store.book, desk.document, training.fitted.drawn))}</p>` : nothing}
      ${desk.said === undefined ? nothing : html`<p class="bad" role="alert" data-part="said">${desk.said}</p>`}
      ${desk.finished !== undefined && training.untaken && able && !training.fitted
        ? html`<p class="row-of">${button('begin-trained', words().beginTrained, () => desk.beginTrained())}</p>`
        : nothing}`;
  }

  // Training goes on at once; weights of which some do not fit are shown first, and what of them is kept.
  private keepOn(): unknown {
    const desk = this.desk!;
    return desk.otherModel ? button('keep-on', words().keepOnFitting, () => desk.goOn())
      : button('keep-on', words().keepOn, () => desk.goOn([]));
  }

  // What comes of settings that changed, and when.
  private changed(): string {
    const desk = this.desk!;
    const { training } = desk;
    if (training.phase === 'playing') return words().changedPlaying;
    if (!desk.restarts) return words().changedGoesOn(training.step);
    const steps = Number(desk.document.training.steps);
    if (steps === training.step) return words().changedAfterEnd(steps);
    return steps < training.step ? words().changedEnd(steps, training.step)
      : words().changedRestarts(inLine(this.store.book, desk.trained, desk.document));
  }

  // Over the picture's foot, beside the thumb: what is looked at keeps its place.
  private back(): unknown {
    const { training } = this.desk!;
    return html`<p class="back"><button class="button" data-part="now"
      @click=${() => training.look(undefined)}>${words().now}</button><button class="button" data-part="go-on"
      @click=${() => training.goOnFromHere()}>${words().goOn}</button></p>`;
  }

  // Presets as sentences.
  private tries(): unknown {
    const desk = this.desk!;
    return html`<section class="group tries"><h2>${words().couldTry}</h2><ul>${triesFor(desk, this.store)
      .map((one) => html`<li><button class="link" data-try=${one.id}
      @click=${() => one.act(desk, this.store)}>${words().tries[one.id]}</button></li>`)}</ul></section>`;
  }

  private keeping(): unknown {
    const desk = this.desk!;
    const { phase } = desk.training;
    const still = phase === 'ready' || phase === 'finished';
    return html`<section class="group keeping">${button('look', words().lookAtIt, () => desk.lookAtIt(), still)}
      ${button('save', words().save, () => this.save(), still)}
      <label class="button file">${words().load}<input class="unseen" type="file" accept=".safetensors" data-part="load"
        @change=${(e: Event) => void this.load(chosenFiles(e))} /></label>
      ${desk.side === 'several' ? nothing : button('csv', words().saveCurves, () => this.saveCurves(),
        desk.training.isMeasured && desk.training.history.steps.length > 0)}
      ${button('lecture', places().lecture, () => this.dispatchEvent(new CustomEvent('dialog', { detail: 'lecture' })),
        lectures(this.store))}</section>`;
  }

  private async load([file]: File[]): Promise<void> {
    if (file) await this.desk!.load(namedFile(new Uint8Array(await file.arrayBuffer()), file.name));
  }

  private async save(): Promise<void> {
    const desk = this.desk!;
    const bytes = await savedFrom(desk.training);
    if (!bytes) return;
    const [{ save }, { savedName }] = await Promise.all([import('../state/save.ts'), import('../take/saved-name.ts')]);
    save(new Blob([bytes as BlobPart], { type: 'application/octet-stream' }),
      savedName(this, 'safetensors', '', desk.trained));
  }

  private async saveCurves(): Promise<void> {
    const desk = this.desk!;
    const [{ save }, { savedName }, { curvesAsCsv }] = await Promise.all([import('../state/save.ts'),
      import('../take/saved-name.ts'), import('./csv.ts')]);
    save(new Blob([curvesAsCsv(desk.training.history)], { type: 'text/csv' }),
      savedName(this, 'csv', words().tabs.curves, desk.trained));
  }
}
customElements.define('ap-train', TrainElement);
