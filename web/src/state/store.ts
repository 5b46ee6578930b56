// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import { Result, valueAt } from '../engine/result.ts';
import { followed } from '../engine/lit.ts';
import type { Doc, Explanation, Feed, Json, Located, Target } from '../engine/types.ts';
import { type Book, controlPaths } from './catalogue.ts';
import { get, ownerOf, set } from './pointer.ts';
import { refit, serve, type Shelf } from './roles.ts';
import { Comparison } from './compare.ts';
import { Onward } from './linked.ts';
import { measured, started } from './marks.ts';
import { Slopes } from './slopes.ts';
import { want } from '../later.ts';
import { strings } from '../strings/en.ts';

export type View = 'matrix' | 'lines' | 'text' | 'table';
export interface Explained {
  target: Target;
  answer: Explanation;
  /** The cells to light up in the picture. */
  lit: Feed[];
}

const LONGEST_HISTORY = 200;
// Milliseconds between explanations while a slider is dragged, and until it is taken to rest.
const PAUSE = 150;
const REST = 200;

function exchange(draft: Doc, document: Doc): void {
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, structuredClone(document));
}

/** Everything that the page shows, and the only way to change it. */
export class Store extends EventTarget {
  result: Result | undefined;
  /** Lends its shapes, in grey, while nothing has been computed yet. */
  shapes: Result | undefined;
  error: Located | undefined;
  notice: string | undefined;
  busy = false;
  hover: Target | undefined;
  lock: Target | undefined;
  explained: Explained | undefined;
  view: View = 'matrix';
  stage: string | undefined;
  table: string | undefined;
  chosen: Record<string, number> = {};
  readonly shelf: Shelf = {};
  /** The role (query, key, ...) that is pointed at in a formula. */
  role: string | undefined;
  /** The word that is pointed at: a place on the axes that carry these labels. */
  word: { labels: string[]; at: number } | undefined;
  /** Where the walk through the named steps has come to. */
  walk: number | undefined;
  readonly onward: Onward;
  readonly slopes: Slopes;
  readonly comparison: Comparison;

  private past: Doc[] = [];
  private future: Doc[] = [];
  private gesture: string | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private explainedAt = -Infinity;
  private kept: Doc | undefined;
  private fresh = true;
  private readonly bases = new WeakMap<Doc, Doc>();

  constructor(
    public document: Doc,
    readonly example: Doc,
    readonly book: Book,
    readonly client: Client,
  ) {
    super();
    this.onward = new Onward(client, () => this.tell());
    this.slopes = new Slopes(this);
    this.comparison = new Comparison(this);
  }

  tell(): void {
    this.dispatchEvent(new Event('change'));
  }

  /** Sets page state that is no part of the document, such as the view. */
  show(state: Partial<Pick<Store, 'view' | 'stage' | 'table' | 'notice' | 'role' | 'word' | 'walk'>>): void {
    Object.assign(this, state);
    this.tell();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Shows what an edit would give, without keeping it; without an edit, what was there before. */
  preview(edit?: (draft: Doc) => void): void {
    const before = this.kept ?? this.document;
    if (!edit && !this.kept) return;
    this.kept = edit ? before : undefined;
    const draft = edit ? structuredClone(before) : before;
    if (edit) {
      edit(draft);
      this.fit(draft);
    }
    this.document = draft;
    void this.compute();
    this.tell();
  }

  /** Changes the document. Changes of one gesture (one drag, say) are one undo step. */
  change(edit: (draft: Doc) => void, gesture?: string): void {
    if (this.kept) this.document = this.kept;
    this.kept = undefined;
    const draft = structuredClone(this.document);
    edit(draft);
    this.fit(draft);
    if (JSON.stringify(draft) === JSON.stringify(this.document)) return;
    if (gesture === undefined || gesture !== this.gesture) this.past.push(this.document);
    if (this.past.length > LONGEST_HISTORY) this.past.shift();
    this.gesture = gesture;
    this.future = [];
    this.bases.set(draft, this.base);
    this.become(draft);
  }

  // Inputs follow what was chosen, once it is known what that needs.
  private fit(draft: Doc): void {
    if (!this.book.whole) return;
    serve(this.book, draft, this.shelf, strings.sampleTokens);
    refit(this.book, draft);
  }

  /** Has the engine tell the rest of its catalogue. */
  async learn(): Promise<void> {
    if (this.book.whole) return;
    const answer = await this.client.send({ kind: 'catalogue' });
    const catalogue = answer && JSON.parse(answer.text);
    if (!catalogue?.mechanisms || this.book.whole) return;
    this.book.fill(catalogue);
    this.tell();
  }

  endGesture(): void {
    this.gesture = undefined;
  }

  set(path: string, value: Json | undefined, gesture?: string): void {
    this.change((draft) => set(draft, path, value), gesture);
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    this.future.push(this.document);
    this.gesture = undefined;
    this.become(last);
  }

  redo(): void {
    const next = this.future.pop();
    if (!next) return;
    this.past.push(this.document);
    this.become(next);
  }

  /** What this document set out from: the example, a preset, a link or a file. */
  get base(): Doc {
    return this.bases.get(this.document) ?? this.example;
  }

  /** Back to what it set out from, with the seed as it is now. */
  reset(): void {
    const { base } = this;
    const seed = this.document['seed'];
    this.notice = undefined;
    this.change((draft) => exchange(draft, seed === undefined ? base : { ...base, seed }));
  }

  /** Sets out anew from another document, such as a preset; undo brings back what was there. */
  replace(document: Doc): void {
    const before = this.document;
    this.notice = undefined;
    this.endGesture();
    this.change((draft) => exchange(draft, document));
    if (this.document !== before) this.bases.set(this.document, this.document);
    this.tell();
  }

  /** The first document, before anything has been drawn. */
  begin(document: Doc): void {
    this.document = document;
    this.bases.set(document, document);
  }

  /** Takes a document from outside, such as a link. */
  open(document: Doc): void {
    this.fresh = true;
    this.notice = undefined;
    this.gesture = undefined;
    this.past.push(this.document);
    if (this.past.length > LONGEST_HISTORY) this.past.shift();
    this.future = [];
    this.bases.set(document, document);
    this.become(document);
  }

  private become(document: Doc): void {
    want();
    this.document = document;
    this.dispatchEvent(new Event('document'));
    void this.compute();
    this.tell();
  }

  async compute(): Promise<void> {
    const document = this.document;
    this.busy = true;
    started();
    void this.comparison.compute();
    const answer = await this.client.send({ kind: 'run', document: JSON.stringify(document) });
    if (!answer) return;
    const directory = JSON.parse(answer.text);
    // A newer document is already on its way; its answer is the one to show.
    if (document !== this.document && !directory.ok) return;
    this.busy = document !== this.document;
    if (directory.ok && answer.data) this.accept(new Result(directory, answer.data));
    else this.refuse(directory.error);
    this.fresh = false;
    this.tell();
    if (!this.busy) measured();
  }

  private accept(result: Result): void {
    this.result = this.result ? result.keep(this.result) : result;
    this.error = undefined;
    if (this.lock && !this.stillThere(this.lock)) this.lock = undefined;
    this.hover = undefined;
    this.ask();
  }

  // While a slider is dragged, its cell is explained now and then; what leads on from it when the slider rests.
  private ask(): void {
    clearTimeout(this.resting);
    clearTimeout(this.pausing);
    this.pausing = undefined;
    if (this.gesture === undefined) return this.askAll();
    this.resting = setTimeout(() => this.askAll(), REST);
    const wait = this.explainedAt + PAUSE - performance.now();
    if (wait <= 0) void this.explain();
    else this.pausing = setTimeout(() => void this.explain(), wait);
  }

  private askAll(): void {
    clearTimeout(this.pausing);
    this.resting = this.pausing = undefined;
    void this.explain();
    void this.onward.about(this.lock, this.result);
    void this.slopes.about(this.lock, this.result);
  }

  /** Something is still to be asked about what is shown. */
  get waiting(): boolean {
    return this.resting !== undefined;
  }

  // A link or an attribute that the engine refuses leaves no picture, so what was there before
  // comes back, or else the example takes over.
  private refuse(error: Located): void {
    if (error.refused) {
      this.error = error;
    } else if (this.fresh && this.document !== this.example) {
      const before = this.past.pop();
      this.notice = before ? strings.linkRefusedHere(error.message) : strings.linkRefused(error.message);
      this.become(before ?? structuredClone(this.example));
    } else {
      this.error = error;
    }
  }

  stillThere(target: Target): boolean {
    const tensor = this.result?.find(target.tensor, target.group);
    return !!tensor && tensor.shape.length === target.index.length && tensor.shape.every((size, k) => (target.index[k] ?? size) < size);
  }

  /** The error's sentence, when the control at this path is the one to show it. */
  errorAt(path: string): string | undefined {
    if (!this.error) return undefined;
    const owner = ownerOf(this.error.path, controlPaths(this.book, this.document));
    return owner === path ? this.error.message : undefined;
  }

  /** An error that no control answers for. */
  get looseError(): string | undefined {
    if (!this.error) return undefined;
    const owner = ownerOf(this.error.path, controlPaths(this.book, this.document));
    return owner === undefined ? this.error.message : undefined;
  }

  /** What stands in the document, or the default that the engine filled in. */
  value(path: string): Json | undefined {
    return get(this.document, path) ?? (this.result && get(this.result.directory.document, path));
  }

  get active(): Target | undefined {
    return this.lock ?? this.hover;
  }

  point(target: Target | undefined): void {
    if (JSON.stringify(target) === JSON.stringify(this.hover)) return;
    this.hover = target;
    if (!this.lock) void this.explain();
    this.tell();
  }

  hold(target: Target | undefined): void {
    this.lock = target;
    if (target) this.bringIntoView(target);
    void this.explain();
    void this.onward.about(target, this.result);
    void this.slopes.about(target, this.result);
    this.tell();
  }

  // A locked cell of another head brings that head into the large picture.
  private bringIntoView(target: Target): void {
    const tensor = this.result?.find(target.tensor, target.group);
    const chosen = { ...this.chosen };
    tensor?.axes.forEach((axis, k) => {
      if (!this.result?.labels(axis)) chosen[axis] = target.index[k] ?? 0;
    });
    this.chosen = chosen;
  }

  /** Holds another index of an axis that pictures do not run over; what is locked goes along. */
  choose(axis: string, at: number): void {
    this.chosen = { ...this.chosen, [axis]: at };
    const tensor = this.lock && this.result?.find(this.lock.tensor, this.lock.group);
    const k = tensor?.axes.indexOf(axis) ?? -1;
    if (this.lock && k >= 0) {
      this.lock = { ...this.lock, index: this.lock.index.map((old, axis_) => (axis_ === k ? at : old)) };
      void this.explain();
    }
    this.tell();
  }

  numberAt(target: Target): number | undefined {
    const tensor = this.result?.find(target.tensor, target.group);
    return tensor && this.stillThere(target) ? valueAt(tensor, target.index) : undefined;
  }

  private async explain(): Promise<void> {
    this.explainedAt = performance.now();
    const target = this.active;
    if (!target || !this.result) {
      this.explained = undefined;
      return;
    }
    const document = JSON.stringify(this.result.directory.document);
    const ask = async (tensor: string, index: number[]): Promise<Explanation | undefined> => {
      const reply = await this.client.send({ kind: 'explain', document, tensor, index: JSON.stringify(index) });
      const explanation = reply && JSON.parse(reply.text);
      return explanation?.feeds ? explanation : undefined;
    };
    const current = () => JSON.stringify(target) === JSON.stringify(this.active);
    const answer = await ask(target.group === 'inputs' ? `inputs.${target.tensor}` : target.tensor, target.index);
    if (!current()) return;
    // What is given is fed by nothing but itself.
    if (answer) answer.feeds = answer.feeds.filter((feed) => feed.tensor !== target.tensor || feed.group !== target.group);
    this.explained = answer && { target, answer, lit: answer.feeds };
    this.tell();
    if (!answer?.feeds.some((feed) => feed.group === 'steps')) return;
    const lit = await followed(answer.feeds, ask, target === this.lock);
    if (!current() || !this.explained) return;
    this.explained = { ...this.explained, lit };
    this.tell();
  }
}
