// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from '@preact/signals-core';
import type { Json } from '../engine/types.ts';
import { isObject } from '../state/catalogue.ts';
import { set } from '../state/pointer.ts';
import type { Store } from '../state/store.ts';
import { keepWeights } from '../engine/kept.ts';
import { weightsNamed } from '../engine/load.ts';
import { parse } from '../state/parse.ts';
import { awakeWhile } from './awake.ts';
import type { Option } from './axes.ts';
import { documents } from './documents.ts';
import type { History } from './history.ts';
import { kept, tellWhenLeft } from './kept.ts';
import type { Chosen } from './maps.ts';
import type { Problem, TrainingDocument } from './messages.ts';
import { Judge, type Subject } from './judge.ts';
import { engineAt, openPort, openTraining } from './open.ts';
import { Draft } from './own.ts';
import { cameTo, type Run, runOf, Runs } from './runs.ts';
import { type Cell, Several } from './several.ts';
import type { Training } from './training.ts';
import { readWeights } from '../files/weights.ts';
import { words } from './words.ts';

export type Tab = 'map' | 'curves' | 'settings' | 'several';
export type Side = 'training' | 'mechanism' | 'several';

/** What of a document is trained: all but where finished weights come from. Nothing where it says of no training. */
export function learnable(document: Json | undefined): TrainingDocument | undefined {
  if (!isObject(document) || !isObject(document['training']) || document['training']['task'] === undefined)
    return undefined;
  const copy = structuredClone(document);
  const given = copy['parameters'];
  if (isObject(given)) {
    delete given['from'];
    if (Object.keys(given).length === 0) delete copy['parameters'];
  }
  return copy as unknown as TrainingDocument;
}

// The words that modules know come from the task, where a document gives none: they make no other training of it.
const plain = (document: TrainingDocument): string =>
  JSON.stringify(document, (key, value: unknown) => (key === 'vocabulary' || key === 'title' ? undefined : value));

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

/** What is to vary when several are trained: the paths of two choices, and their options. */
export interface Planned {
  axes: [string, string];
  picked: Readonly<Record<string, readonly string[]>>;
}

/** The place where one trains: the page's document, the training under way, and what of it is looked at. */
export class Desk {
  readonly training: Training = openTraining();
  readonly runs = new Runs();
  /** Measures over held-out examples, and those that ask the model itself about its pinned example. */
  readonly measures = new Judge(openPort, engineAt);
  readonly faith = new Judge(openPort, engineAt);
  readonly several = new Several((cells) => {
    for (const { training } of cells) this.runs.add(runOf(this.runs.coming, training));
  });
  /** The reader's own data, as far as they were pasted. */
  readonly draft = new Draft();
  private readonly runNow = signal<number | undefined>(undefined);
  private readonly sideNow = signal<Side>('training');
  private readonly saidNow = signal<string | undefined>(undefined);
  private readonly chosenNow = signal<Chosen>({ map: 0, head: undefined });
  private readonly tabNow = signal<Tab>('map');
  private readonly resumedNow = signal(false);
  private readonly cellNow = signal<{ row: number; column: number } | undefined>(undefined);
  private readonly plannedNow = signal<Planned | undefined>(undefined);

  private readonly documentNow = computed(() =>
    learnable(this.store.documents.document as Json) ?? ([...documents.values()][0] as TrainingDocument));
  private readonly editedNow = computed(() => this.differs(plain));
  private readonly otherNow = computed(() => this.differs(({ mechanism, model }: TrainingDocument & { model?: Json }) =>
    plain([mechanism ?? null, model ?? null] as unknown as TrainingDocument)));
  /** The training that was left for another, and how far that one is to be played, at a pace of its own. */
  private left: Run | undefined;
  private toPlay: readonly [until?: number, pace?: number] | undefined;
  /** What is taken again after a reload reaches to here. */
  private far = 0;
  /** What is trained before the page's document is set to it, so that nothing refused is ever the page's. */
  private coming: TrainingDocument | undefined;
  private readonly ignore: (() => void)[];

  constructor(readonly store: Store) {
    const { trainings } = store;
    let begins = trainings.begins.peek();
    this.ignore = [
      tellWhenLeft(() => Math.max(this.training.step, this.far)),
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
      // A lesson set up another document: it is trained from its first step.
      effect(() => {
        if (trainings.begins.value === begins) return;
        begins = trainings.begins.value;
        untracked(() => this.startAgain());
      }),
    ];
  }

  /** The document as its settings stand now; the training has the one that it began with. */
  get document(): TrainingDocument {
    return this.documentNow.value;
  }

  /** Whether the page's document says of no training, so that another is trained in its place. */
  get standsIn(): boolean {
    return learnable(this.store.documents.document as Json) === undefined;
  }

  private differs(of: (document: TrainingDocument) => string): boolean {
    return this.training.document !== '' && of(this.trained) !== of(this.document);
  }

  /** Whether something changed since the training began. */
  get edited(): boolean {
    return this.editedNow.value;
  }

  /** The document of the training under way. */
  get trained(): TrainingDocument {
    return this.training.trained;
  }

  /** Whether it is another model, of whose weights some may fit. */
  get otherModel(): boolean {
    return this.otherNow.value;
  }

  /** The file that finished weights of the page's document come from. */
  get finished(): string | undefined {
    const given = (this.store.documents.document as Json & { parameters?: Json }).parameters;
    return isObject(given) && typeof given['from'] === 'string' ? given['from'] : undefined;
  }

  get side(): Side {
    return this.sideNow.value;
  }

  set side(side: Side) {
    this.sideNow.value = side;
  }

  get chosenRun(): number | undefined {
    return this.runNow.value;
  }

  set chosenRun(id: number | undefined) {
    this.runNow.value = id;
  }

  /** What is wrong with the reader's own data as they stand. */
  get ownProblem(): Problem | undefined {
    const { draft, training } = this;
    return draft.asked === true && training.phase !== 'beginning' ? training.problem : undefined;
  }

  /** What went wrong with a file or with keeping one. */
  get said(): string | undefined {
    return this.saidNow.value;
  }

  get resumed(): boolean {
    return this.resumedNow.value;
  }

  get chosen(): Chosen {
    return this.chosenNow.value;
  }

  set chosen(chosen: Chosen) {
    this.chosenNow.value = chosen;
  }

  /** The cell of the map whose weight is set by hand. */
  get cell(): { row: number; column: number } | undefined {
    return this.cellNow.value;
  }

  set cell(cell: { row: number; column: number } | undefined) {
    this.cellNow.value = cell;
  }

  /** What a preset wants to vary. */
  get planned(): Planned | undefined {
    return this.plannedNow.value;
  }

  set planned(planned: Planned | undefined) {
    this.plannedNow.value = planned;
  }

  get tab(): Tab {
    return this.tabNow.value;
  }

  set tab(tab: Tab) {
    this.tabNow.value = tab;
  }

  /** Goes on with what was being trained when the page was left, where it is what the page is about, or begins. */
  async open(): Promise<void> {
    void this.runs.recall();
    const found = await kept();
    const { documents: page, example } = this.store;
    const untouched = JSON.stringify(page.document) === JSON.stringify(example);
    // What a lesson sets up begins with its first step.
    const goesOn = found !== undefined && this.store.view.lesson === undefined
      && (untouched || learnable(page.document as Json) === undefined || same(found.document, this.document));
    if (goesOn && !same(found.document, this.document)) page.replace(found.document);
    if (this.training.document !== '') return;
    this.resumedNow.value = goesOn && (found.from.history.steps.length > 0);
    // What was taken after the last checkpoint is taken again: the same steps, to the bit.
    if (goesOn && found.until !== undefined) this.toPlay = [this.far = found.until, 0];
    this.begin(goesOn ? found.from : undefined);
  }

  private begin(from?: { checkpoint: Uint8Array; history: History }, weights?: Uint8Array,
    coming?: TrainingDocument): void {
    this.coming = coming;
    this.chosen = { map: 0, head: undefined };
    this.cell = undefined;
    this.store.trainings.tried.value = 0;
    this.measures.clear();
    this.faith.clear();
    this.saidNow.value = undefined;
    this.training.begin(coming ?? this.document, from, weights);
  }

  // What is left can be compared with what comes, once it is known that it does.
  private leave(): void {
    this.resumedNow.value = false;
    this.toPlay = undefined;
    this.far = 0;
    if (this.training.begun && this.training.step > 0) this.left = runOf(this.runs.coming, this.training);
  }

  // A training began, or was refused and the one before it is back.
  private begunOrBack(refused: boolean): void {
    const { left, toPlay, coming } = this;
    this.left = this.toPlay = this.coming = undefined;
    if (refused) return;
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

  startAgain(): void {
    this.leave();
    this.begin();
  }

  /**
   * Goes on from the weights as they are; where the model is another, from those that fit. What was playing plays on.
   */
  async goOn(): Promise<void> {
    const { history } = this.training;
    const other = this.otherModel;
    const playing = this.training.phase === 'playing';
    const checkpoint = await this.training.save(false);
    if (other) this.leave();
    else history.add({ checkpoints: [{ step: this.training.step, bytes: checkpoint }] });
    if (playing) this.toPlay = [Infinity];
    this.begin(other ? undefined : { checkpoint, history }, other ? checkpoint : undefined);
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
  async subject(): Promise<Subject> {
    const { training } = this;
    const bytes = this.showsFinished ? await weightsNamed(this.finished!) : undefined;
    if (bytes) return { document: JSON.stringify(this.document), weights: bytes.slice(), step: undefined };
    return { document: training.document, weights: await training.save(false), step: training.step };
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
      this.saidNow.value = words().badFile(problem instanceof Error ? problem.message : String(problem));
    }
  }

  /** Shows what was learned among all that can be looked at. */
  async lookAtIt(): Promise<void> {
    const bytes = await this.training.save(true);
    const name = `own-${this.training.step}-${bytes.length}-${Date.now().toString(36)}.safetensors`;
    if (!(await keepWeights(name, bytes))) return void (this.saidNow.value = words().notKept);
    const filled = this.training.begun?.document ?? this.trained;
    this.store.documents.change((draft) => {
      for (const [key, value] of Object.entries(filled)) draft[key] = structuredClone(value) as Json;
      draft['parameters'] = { ...(isObject(draft['parameters']) ? draft['parameters'] : {}), from: name };
    });
    this.store.view.show({ place: 'look' });
  }

  /** One of several becomes the reader's own, as far as it has learned; undo brings the other back. */
  async adopt({ document, training }: Cell): Promise<void> {
    const checkpoint = await training.save(false);
    this.leave();
    this.store.documents.replace(structuredClone(document));
    this.side = 'training';
    this.begin({ checkpoint, history: training.history });
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

  close(): void {
    for (const ignore of this.ignore) ignore();
    this.training.close();
    this.several.close();
    this.measures.stop();
    this.faith.stop();
  }
}

const same = (one: TrainingDocument, other: TrainingDocument): boolean => plain(one) === plain(other);
