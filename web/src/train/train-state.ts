// SPDX-License-Identifier: Apache-2.0
import { effect, signal, untracked } from '@preact/signals-core';
import { cell, computedOnce } from '../state/cells.ts';
import type { Json } from '../engine/types.ts';
import { set } from '../engine/pointer.ts';
import type { Store } from '../state/store.ts';
import { weightsNamed } from '../engine/load.ts';
import { parse } from '../state/parse.ts';
import { awakeWhile } from './wake-lock.ts';
import type { Option } from './axes.ts';
import { documents } from './documents.ts';
import { differ } from './documents-differ.ts';
import { broughtWith, finishedIn, learnable, plain, same, startOf } from './learnable.ts';
import { kept, tellWhenLeft } from './kept.ts';
import type { Problem, TrainingDocument } from './messages.ts';
import { Judge, type Subject } from './measure-runs.ts';
import { engineAt, openAlone, openPool, openTraining } from './open.ts';
import { Draft } from './own-data.ts';
import { cameTo, type Run, runOf, Runs } from './runs.ts';
import { type Cell, Several } from './several.ts';
import { Sight, tellMaps, usualOf } from './train-view.ts';
import type { Training } from './training.ts';
import { readWeights } from '../files/weights.ts';
import { takeOver, tellUntaken } from './take-over.ts';
import { words } from './words.ts';

const desks = new WeakMap<Store, Desk>();
/** The desk of a page; what goes on there goes on while the reader is elsewhere. */
export function deskOf(store: Store): Desk {
  const known = desks.get(store);
  if (known) return known;
  const desk = new Desk(store);
  desks.set(store, desk);
  void desk.open();
  return desk;
}
/** The page is gone. */
export function leaveDesk(store: Store): void {
  desks.get(store)?.close();
  desks.delete(store);
}

/** The place where one trains: the page's document, the training under way, and what of it is looked at. */
export class Desk extends Sight {
  readonly training: Training = openTraining();
  readonly runs = new Runs();
  /** Measures over held-out examples, and those that ask the model itself about its pinned example. */
  readonly measures = new Judge(openAlone, engineAt);
  readonly faith = new Judge(openAlone, engineAt);
  readonly several = new Several(openPool(), (open) => openTraining(false, open), (cells) => {
    for (const { training } of cells) this.runs.add(runOf(this.runs.coming, training));
  });
  /** The reader's own data, as far as they were pasted. */
  readonly draft = new Draft();
  /** What went wrong with a file or with keeping one. */
  @cell said: string | undefined;
  @cell resumed = false;
  /** What is trained where the page's document says of no training: what was trained last, or the first to choose. */
  private readonly deputyNow = signal([...documents.values()][0] as TrainingDocument);
  /** The document that was begun last, as a text: one that was refused is not tried again by itself. */
  private attempted = '';
  /** The training that was left for another, and how far that one is to be played, at a pace of its own. */
  private left: Run | undefined;
  private toPlay: readonly [until?: number, pace?: number] | undefined;
  /** The file of finished weights that the page's document named when this began. */
  private takenFrom: string | undefined;
  /** What is taken again after a reload reaches to here. */
  private far = 0;
  /** What is trained before the page's document is set to it, so that nothing refused is ever the page's. */
  private coming: TrainingDocument | undefined;
  private readonly ignore: (() => void)[];

  constructor(readonly store: Store) {
    super(() => usualOf(store, this.training.picture));
    const { trainings } = store;
    let told = store.documents.document;
    this.ignore = [
      tellWhenLeft(() => Math.max(this.training.step, this.far)),
      tellUntaken(this),
      tellMaps(store, this.training),
      awakeWhile(() => this.training.phase === 'playing' || this.several.playing),
      // What was learned is told to the rest of the page.
      effect(() => {
        void this.training.turns;
        const { left, training } = this;
        const all = [...this.runs.all, ...(left ? [left] : []), ...(training.begun ? [runOf(0, training)] : [])];
        untracked(() => (trainings.runs.value = all.flatMap(cameTo)));
      }),
      effect(() => {
        const { begun, phase, problem } = this.training;
        if (begun && phase !== 'beginning') untracked(() => this.begunOrBack(problem !== undefined));
      }),
      effect(() => void (this.store.trainings.asked.value =
        this.faith.findings.filter(({ found }) => found !== undefined).length)),
      // Before the first step there is nothing to lose: what is set is what is trained.
      effect(() => {
        const { edited, training: { phase, untaken }, document, store: { documents: page, view } } = this;
        // What begins becomes the page's once it is known to begin; what is set until then is not what is wanted.
        if (this.coming || !edited || phase === 'beginning' || phase === 'playing') return;
        if (page.held || view.place !== 'train' || plain(document) === this.attempted) return;
        // Another model that was opened is trained from its first step; what was learned before stays as a run.
        if (untaken) untracked(() => this.follow());
        else if (this.otherModel && document.title !== this.trained.title) untracked(() => this.startAgain());
      }),
      // Models that learn another task are not shown, and whoever cannot see them cannot pause them.
      effect(() => {
        const { several, document } = this;
        if (several.playing && !several.about(document)) untracked(() => several.pause());
      }),
      // What was refused is no longer what is set.
      effect(() => {
        const { document } = this.store.documents;
        if (document === told) return;
        told = document;
        untracked(() => this.training.phase !== 'beginning' && this.training.forgive());
      }),
      // A lesson or a system's button set up another document: it is trained from its first step.
      effect(() => {
        const begin = trainings.begins.value;
        if (!begin) return;
        trainings.begins.value = undefined;
        untracked(() => {
          if (begin.pace !== undefined) this.training.pace = begin.pace;
          // What is to be watched is the training, not the models that were compared before it.
          [this.side, this.tab] = ['training', 'map'];
          this.startAgain(begin.pace === undefined ? undefined : []);
        });
      }),
    ];
  }

  /** The document as its settings stand now; the training has the one that it began with. */
  @computedOnce get document(): TrainingDocument {
    return learnable(this.store.documents.document as Json) ?? this.deputyNow.value;
  }

  /** Whether the page's document says of no training, so that another is trained in its place. */
  get standsIn(): boolean {
    return learnable(this.store.documents.document as Json) === undefined;
  }

  private differs(of: (document: TrainingDocument) => string): boolean {
    return this.training.document !== '' && differ(this.store, this.trained, this.document, of);
  }

  /** Whether something changed since the training began. */
  @computedOnce get edited(): boolean {
    return this.differs(plain);
  }

  /** The document of the training under way. */
  get trained(): TrainingDocument {
    return this.training.trained;
  }

  /** Whether it is another model, of whose weights some may fit. */
  @computedOnce get otherModel(): boolean {
    return this.differs(({ mechanism, model }: TrainingDocument & { model?: Json }) =>
    plain([mechanism ?? null, model ?? null] as unknown as TrainingDocument));
  }

  /** Whether what is set can only be trained from the first step on. */
  @computedOnce get restarts(): boolean {
    return this.differs((one) => plain(startOf(one)))
    || Number(this.document.training.steps ?? Infinity) <= this.training.step;
  }

  /** Whether what is set can be played, as it is or from its first step. */
  get able(): boolean {
    const { phase, failure, ended } = this.training;
    if (this.edited || ended) return phase === 'ready' || phase === 'finished' || phase === 'refused';
    return phase === 'ready' && failure === undefined;
  }

  /** The file that finished weights of the page's document come from. */
  get finished(): string | undefined {
    return finishedIn(this.store.documents.document as Json);
  }

  /** The runs that are drawn beside the training: those of other tasks, which are kept too, say nothing about it. */
  get comparable(): readonly Run[] {
    return this.runs.like(this.training.document === '' ? this.document : this.trained);
  }

  /** What is wrong with the reader's own data as they stand. */
  get ownProblem(): Problem | undefined {
    const { draft, training } = this;
    return draft.asked === true && training.phase !== 'beginning' ? training.problem : undefined;
  }

  /** Goes on with what was being trained when the page was left, where it is what the page is about, or begins. */
  async open(): Promise<void> {
    void this.runs.recall();
    const found = await kept();
    const { documents: page, example } = this.store;
    const untouched = JSON.stringify(page.document) === JSON.stringify(example);
    // What a lesson sets up begins with its first step.
    const took = found !== undefined && (found.until !== undefined || found.from.history.steps.length > 0);
    const goesOn = found !== undefined && this.store.view.lesson === undefined
      && ((untouched && took) || learnable(page.document as Json) === undefined || same(found.document, this.document));
    // What the reader looks at stays what it is: where it names no task, the last training is its deputy.
    if (goesOn && untouched && !same(found.document, this.document)) page.replace(found.document);
    else if (goesOn && this.standsIn) this.deputyNow.value = found.document;
    if (this.training.document !== '') return;
    this.resumed = goesOn && (found.from.history.steps.length > 0);
    // What was taken after the last checkpoint is taken again: the same steps, to the bit.
    if (goesOn && found.until !== undefined) this.toPlay = [this.far = found.until, 0];
    if (goesOn) return this.begin(found.from);
    const brought = await broughtWith(this.finished);
    if (this.training.document === '') this.begin(undefined, brought);
  }

  private begin(from?: Parameters<Training['begin']>[1], weights?: Uint8Array, coming?: TrainingDocument): void {
    this.coming = coming;
    this.chosen = undefined;
    this.cell = undefined;
    this.store.trainings.tried.value = 0;
    this.measures.clear();
    this.faith.clear();
    this.said = undefined;
    this.attempted = plain(coming ?? this.document);
    this.takenFrom = coming ? undefined : this.finished;
    this.training.begin(coming ?? this.document, from, weights);
  }

  // What is left can be compared with what comes, once it is known that it does.
  private leave(): void {
    this.resumed = false;
    this.toPlay = undefined;
    this.far = 0;
    if (this.training.begun && this.training.step > 0) this.left = runOf(this.runs.coming, this.training);
  }

  // A training began, or was refused and the one before it is back.
  private begunOrBack(refused: boolean): void {
    const { left, toPlay, coming } = this;
    this.left = this.toPlay = this.coming = undefined;
    if (refused) return;
    // Where the next document names no task, this one is trained on, unchanged.
    this.deputyNow.value = this.trained;
    if (coming) this.store.documents.replace(structuredClone(this.trained));
    if (left) this.runs.add(left);
    if (toPlay) this.training.play(...toPlay);
    else if (this.training.phase !== 'playing') this.far = 0;
  }

  /** Trains once more with another choice, from the same seed and for as many steps as were taken. */
  onceMore({ apply }: Option): void {
    const { step, trained } = this.training;
    const copy = structuredClone(trained);
    apply(copy);
    this.trainOn(copy, step);
  }

  startAgain(play?: readonly [until?: number, pace?: number]): void {
    this.leave();
    this.toPlay = play;
    this.begin();
  }

  /** Trains what is set: from the weights as they are, or from the first step where those are of no use. */
  play(until?: number, pace?: number): void {
    this.resumed = false;
    if (this.edited || this.training.phase === 'refused') this.follow([until, pace]);
    else this.training.play(until, pace);
  }

  /** A step of what is set. */
  stepOnce(): void {
    if (this.edited) this.follow([(this.restarts ? 0 : this.training.step) + 1]);
    else this.training.stepOnce();
  }

  // Weights that were taken from a file are kept where they fit.
  private follow(play?: readonly [until?: number, pace?: number]): void {
    const { training } = this;
    if (training.untaken && this.finished !== this.takenFrom) void this.afresh(play);
    else if (training.phase !== 'refused' && (!this.restarts || (training.untaken && training.fitted)))
      void this.goOn(play);
    else this.startAgain(play);
  }

  /**
   * Goes on from the weights as they are; where the model is another, from those that fit. What was playing plays on.
   */
  async goOn(play?: readonly [until?: number, pace?: number]): Promise<void> {
    const { otherModel: other, training: { history } } = this;
    // One that has not begun yet is to play as it would have.
    const meant = () => (this.training.phase === 'playing' ? [Infinity] as const : this.toPlay);
    const before = meant();
    const checkpoint = await this.training.save(false);
    if (!checkpoint) return;
    const playing = before ?? meant();
    if (other) this.leave();
    else history.add({ checkpoints: [{ step: this.training.step, bytes: checkpoint }] });
    this.toPlay = play && playing?.[0] !== Infinity ? play : playing;
    this.begin(other ? undefined : { checkpoint, history }, other ? checkpoint : undefined);
  }

  // The page shows other weights than those that this began with, as after a reset.
  private async afresh(play?: readonly [until?: number, pace?: number]): Promise<void> {
    const brought = await broughtWith(this.takenFrom = this.finished);
    this.leave();
    this.toPlay = play;
    this.begin(undefined, brought);
  }

  /** Begins with the finished weights that the page's document names. */
  async beginTrained(): Promise<void> {
    const bytes = this.finished === undefined ? undefined : await weightsNamed(this.finished);
    if (!bytes) return;
    this.leave();
    this.begin(undefined, bytes);
  }

  /** Whether the page's document comes with finished weights, and nothing was trained yet. */
  get showsFinished(): boolean {
    return this.finished !== undefined && this.training.untaken && this.training.fitted === undefined;
  }

  /** What can be measured now: the training as it stands, or finished weights where nothing was trained yet. */
  async subject(): Promise<Subject | undefined> {
    const { training } = this;
    const bytes = this.showsFinished ? await weightsNamed(this.finished!) : undefined;
    if (bytes) return { document: JSON.stringify(this.document), weights: bytes.slice(), step: undefined };
    const weights = await training.save(false);
    return weights && { document: training.document, weights, step: training.step };
  }

  /** Takes a file of weights, with the document that lies in it. */
  async load(bytes: Uint8Array): Promise<void> {
    try {
      const { metadata } = readWeights(bytes);
      const found = metadata['document'] === undefined ? undefined : parse(metadata['document']);
      const document = found && 'document' in found ? found.document : undefined;
      this.leave();
      this.begin(undefined, bytes, learnable(document));
    } catch (problem) {
      this.said = words().badFile(problem instanceof Error ? problem.message : String(problem));
    }
  }

  /** Shows what was learned among all that can be looked at. */
  async lookAtIt(): Promise<void> {
    await takeOver(this);
    this.store.view.show({ place: 'look' });
  }

  /** One of several becomes the reader's own, as far as it has learned; undo brings the other back. */
  async adopt({ document, training }: Cell): Promise<void> {
    const checkpoint = await training.save(false);
    if (!checkpoint) return;
    this.leave();
    this.side = 'training';
    // Set before, the page's document would be trained from its first step.
    this.begin({ checkpoint, history: training.history }, undefined, structuredClone(document));
  }

  take(document: TrainingDocument): void {
    this.leave();
    this.store.documents.replace(structuredClone(document));
    this.begin();
  }

  /** Trains another document, at once to a step, or not yet (null); where the engine refuses it, all is as it was. */
  trainOn(document: TrainingDocument, until: number | null | undefined = document.training.steps): void {
    this.leave();
    if (until !== null) this.toPlay = [until];
    this.begin(undefined, undefined, document);
  }

  choose(name: string): void {
    this.take(documents.get(name)!);
  }

  put(path: string, value: Json | undefined, gesture?: string): void {
    this.edit((draft) => set(draft, path, value), gesture);
  }

  edit(change: (draft: TrainingDocument) => void, gesture?: string): void {
    const { documents: page } = this.store;
    if (learnable(page.document as Json)) return page.change((draft) => change(draft as TrainingDocument), gesture);
    const copy = structuredClone(this.document);
    change(copy);
    page.replace(copy);
  }

  /** The reader goes to another place of the page: the training goes on there, several at once do not. */
  rest(): void {
    this.several.rest();
  }

  close(): void {
    for (const ignore of this.ignore) ignore();
    this.training.close();
    this.several.close();
    this.measures.stop();
    this.faith.stop();
  }
}
