// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal, untracked } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, Json, Located, Target } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import type { EngineWords } from '../strings/engine.ts';
import { samePart } from './layers.ts';
import { hasTask } from './model.ts';
import { type Book, controlPaths } from './catalogue.ts';
import { Comparison } from './compare.ts';
import { Documents } from './documents.ts';
import { type Explained, Explanations } from './explanations.ts';
import type { Foreseen } from './try-choice.ts';
import type { Place } from './fitting-choice.ts';
import type { Notice } from './notice.ts';
import { Onward } from './dependents.ts';
import { get, ownerOf } from '../engine/pointer.ts';
import { Rescuer } from './choice-rescue.ts';
import { fillPairs, refit, serve, type Shelf } from './roles.ts';
import { Scales } from './scales.ts';
import { digits } from '../strings/numerals.ts';
import { waitsForModel } from '../engine/encoder.ts';
import type { Landed } from './incoming-weights.ts';
import type { Seen } from './link-view.ts';
import { Selection } from './selection.ts';
import { Sessions } from './sessions.ts';
import { Slopes } from './slopes.ts';
import { Learned } from './trained.ts';
import { View } from './view.ts';
import { Wait } from './engine-wait.ts';
import { Writer } from './writer.ts';
import type { Edit, Item } from './proposals.ts';

/** The entry of a menu that is tried out, and whether there is a picture of it. */
class Trial {
  private readonly entry = signal<Item | undefined>(undefined);

  constructor(
    private readonly documents: Documents,
    private readonly sessions: () => Pick<Sessions, 'error' | 'busy'>,
  ) {}

  /** Tries an entry out; without one, what was there before comes back. */
  show(item?: Item, edit?: Edit): void {
    this.entry.value = item;
    this.documents.preview(item && edit);
  }

  /** What is tried out. */
  get item(): Item | undefined {
    return this.documents.trying ? this.entry.value : undefined;
  }

  /** Why it cannot be chosen, if that was known before it was tried out. */
  get refusal(): string | undefined {
    return this.item?.refusal;
  }

  /** The engine's objection to it, if it takes the engine to find that. */
  get error(): Located | undefined {
    const { error, busy } = this.sessions();
    return this.documents.trying && this.refusal === undefined && !busy ? error : undefined;
  }

  /** It cannot be computed with what is here. */
  get misfit(): boolean {
    return this.refusal !== undefined || this.error !== undefined;
  }

  /** The last picture is not of it; also while the engine has not yet answered one that follows a misfit. */
  get unpictured(): boolean {
    return this.misfit || (this.documents.trying && this.sessions().error !== undefined);
  }
}

// A document of more multiplications than these is not computed again for each entry of a menu.
const HEAVY = 1e8;

const same = (a: Doc, b: Doc): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The page's state, put together from its parts: the document with its history, the engine's sessions, the selection
 * and the view. Each changes itself alone, by its own functions, and hears of the others by their signals.
 */
export class Store {
  readonly documents: Documents;
  readonly sessions: Sessions;
  readonly selection: Selection;
  readonly view = new View();
  /** What was trained here. */
  readonly trainings = new Learned();
  readonly explanations: Explanations;
  readonly onward: Onward;
  readonly slopes: Slopes;
  readonly comparison: Comparison;
  readonly scales: Scales;
  readonly writer: Writer;
  readonly wait: Wait;
  /** What a menu tries out. */
  readonly trial: Trial;
  /** What was put aside when another mechanism read other inputs. */
  readonly shelf: Shelf = {};
  /** What ends when the page is removed: what others hold for its document. */
  readonly held = new Set<() => void>();
  private readonly rescuer: Rescuer;
  private readonly learned = signal(0);

  constructor(
    document: Doc,
    readonly example: Doc,
    private readonly catalogue: Book,
    readonly client: Client,
  ) {
    this.documents = new Documents(document, example, (draft) => this.fit(draft));
    this.scales = new Scales(this.documents);
    this.rescuer = new Rescuer(this.documents, this.view, client,
      (document) => this.sessions.refused === document, () => this.last);
    this.sessions = new Sessions(this.documents, client, this.rescuer.rescue, waitsForModel);
    this.trial = new Trial(this.documents, () => this.sessions);
    this.selection = new Selection(() => this.sessions.result);
    this.writer = new Writer(this.documents, client, example);
    this.wait = new Wait(client);
    this.comparison = new Comparison(this.documents, this.sessions);
    this.explanations = new Explanations(this.documents, this.sessions, this.selection);
    this.onward = new Onward(this.sessions, this.selection, this.explanations);
    // A cell that is locked elsewhere brings its module into the large picture.
    effect(() => {
      const { lock } = this.selection;
      const within = lock && untracked(() => this.sessions.result?.find(lock.tensor, lock.group)?.within);
      if (within !== undefined) untracked(() => this.view.show({ module: within }));
    });
    this.slopes = new Slopes(this.documents, this.sessions, this.selection, this.explanations);
  }

  /** What is known of the catalogue by now. */
  get book(): Book {
    void this.learned.value;
    return this.catalogue;
  }

  /** Fetches the rest of the catalogue; answers whether it is here. If it does not come, lazy-fetch.ts says so. */
  async learn(): Promise<boolean> {
    if (this.catalogue.whole) return true;
    await this.catalogue.learn();
    if (this.catalogue.whole) this.learned.value++;
    return this.catalogue.whole;
  }

  /** Says everything in the words of another language. */
  speak(words: EngineWords | undefined): void {
    this.catalogue.speak(words);
    this.view.reword();
  }

  // Inputs follow what was chosen, once it is known what that needs.
  private fit(draft: Doc): void {
    if (!this.catalogue.whole) return;
    serve(this.catalogue, draft, this.shelf, strings.sampleTokens);
    refit(this.catalogue, draft);
    const result = untracked(() => this.sessions.result);
    if (result) fillPairs(this.catalogue, draft, result);
  }

  // What the last picture locked.
  private presented: Target | undefined;

  /** Shows a picture that came with the page, or nothing at all. */
  present(picture?: { document: Doc; result: Result; explained?: Explained }): void {
    batch(() => {
      if (picture && !same(picture.document, this.documents.document))
        this.documents.begin(structuredClone(picture.document));
      this.sessions.present(picture?.result, picture?.result ?? this.sessions.shapes);
      this.explanations.present(picture?.explained);
      // What a link or a lesson has locked since the last picture stays.
      const target = picture?.explained?.target;
      if (untracked(() => this.selection.lock) === this.presented) this.selection.hold(target);
      this.presented = target;
    });
  }

  /**
   * Shows what came from outside; `anew`: undo brings back what was there. `base`: what the first document set out
   * from.
   */
  arrive({ document, compare, seen, rounded, untrained = [] }: Extract<Landed, { document: Doc }>, anew = true,
    base?: Doc): void {
    if (anew) this.documents.open(document, compare);
    else this.documents.begin(document, compare, base);
    this.restore(seen);
    if (rounded !== undefined) this.view.show({ notice: [rounded > 0
      ? { key: 'weightsRounded', values: [digits(rounded, 2)] } : { key: 'weightsCame' },
    ...(untrained.length > 0 ? [{ key: 'weightsNew', values: untrained, parameters: true,
      train: 'trainIt' } satisfies Notice] : [])] });
  }

  private readonly cameWith = new WeakMap<Doc, Seen>();

  /** What the link of a document showed of it. */
  seenWith(document: Doc): Seen | undefined {
    return this.cameWith.get(document);
  }

  /** Shows a document that has just been opened as its link says, once its numbers are here. */
  restore(seen: Seen | undefined): void {
    if (!seen) return;
    const { document } = this.documents;
    this.cameWith.set(document, seen);
    // Where one trains needs no picture of the document, and some documents have none before they are trained.
    if (seen.place === 'train' && hasTask(document)) untracked(() => this.view.show({ place: 'train' }));
    const stop = effect(() => {
      const { result, busy } = this.sessions;
      if (this.documents.document !== document) return queueMicrotask(() => stop());
      if (!result || busy) return;
      queueMicrotask(() => stop());
      const { chosen = {}, lock, pins = {}, slopes = [], ...shown } = seen;
      untracked(() => batch(() => {
        this.selection.restore(chosen, lock);
        this.scales.restore(pins);
        this.slopes.restore(slopes);
        this.view.show({ view: 'matrix', module: undefined, stage: undefined, walk: undefined, table: undefined,
          large: undefined, place: 'look', many: undefined, beside: undefined, how: false, ...shown });
      }));
    });
  }

  /**
   * Chooses a menu's entry at a control; where it does not fit, the nearest that does takes its place in the same step,
   * or nothing is changed, and the control says so.
   */
  pick(id: string | undefined, title: string, edit: (draft: Doc) => void, at?: string, place?: Place): void {
    this.rescuer.pick(id, title, edit, at, place);
  }

  /**
   * What choosing an entry would come to; nothing is told of a document that is refused as it is, or that takes so long
   * that everything else would wait for it.
   */
  async foresee(id: string | undefined, edit: (draft: Doc) => void, place?: Place): Promise<Foreseen> {
    const { error, result } = this.sessions;
    if ((error && !this.documents.trying) || (result?.directory.cost?.multiply_adds ?? 0) > HEAVY) return {};
    const { foresee } = await import('./try-choice.ts');
    return foresee(this.client, this.documents.kept, this.documents.drafted(edit), id, place,
      this.last?.directory.document);
  }

  /** Whether the notice speaks of something that one undo takes back. */
  get insteadShown(): boolean {
    return this.rescuer.insteadShown;
  }

  /** What stands in the document, or the default that the engine filled in. */
  value(path: string): Json | undefined {
    const { result } = this.sessions;
    return get(this.documents.document, path) ?? (result && get(result.directory.document, path));
  }

  private get last(): Result | undefined {
    return untracked(() => this.sessions.result);
  }

  // A choice that is only tried out says in its menu that it does not fit.
  private get error(): Located | undefined {
    return this.documents.trying ? undefined : this.sessions.error;
  }

  private get owner(): string | undefined {
    return this.error && ownerOf(this.error.path, controlPaths(this.book, this.documents.document));
  }

  /** Where a change at this path is made: there, or in all layers of a model if these are changed together. */
  targets(path: string): string[] {
    return this.view.together ? samePart(this.documents.document, path) : [path];
  }

  /** The error's sentence, when the control at this path is the one to show it. */
  errorAt(path: string): string | undefined {
    const { owner } = this;
    return owner !== undefined && this.targets(path).includes(owner) ? this.error?.message : undefined;
  }

  /** An error that no control answers for. */
  get looseError(): Located | undefined {
    return this.owner === undefined ? this.error : undefined;
  }

  /** The document of what is drawn: of one that is only tried out and does not fit there are no numbers. */
  get pictured(): Doc {
    const { result } = this.sessions;
    return this.trial.unpictured && result ? result.directory.document : this.documents.document;
  }

  numberAt(target: Target): number | undefined {
    return this.sessions.result?.numberAt(target);
  }
}
