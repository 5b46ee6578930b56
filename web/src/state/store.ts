// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import { Result, valueAt } from '../engine/result.ts';
import type { Doc, Explanation, Feed, Json, Located, Target } from '../engine/types.ts';
import { type Book, controlPaths } from './catalogue.ts';
import { type Entry, standIn } from './entry.ts';
import type { Compared } from './parse.ts';
import { Explainer } from './explainer.ts';
import { get, ownerOf, set } from './pointer.ts';
import { refit, serve, type Shelf } from './roles.ts';
import { Comparison } from './compare.ts';
import { Onward } from './linked.ts';
import { measured, started } from './marks.ts';
import { Slopes } from './slopes.ts';
import { want } from '../later.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';

export type View = 'matrix' | 'lines' | 'text' | 'table';
export interface Explained {
  target: Target;
  answer: Explanation;
  /** The cells to light up in the picture. */
  lit: Feed[];
}

const LONGEST_HISTORY = 200;
/** What undo goes back to. */
interface Moment {
  document: Doc;
  compare: Compared | undefined;
}

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

  private past: Moment[] = [];
  private future: Moment[] = [];
  private gesture: string | undefined;
  private readonly explainer: Explainer;
  private kept: Doc | undefined;
  private fresh = true;
  private entry: Entry | undefined;
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
    this.explainer = new Explainer(this);
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

  private get moment(): Moment {
    return { document: this.document, compare: this.comparison.held };
  }

  private remember(): void {
    this.past.push(this.moment);
    if (this.past.length > LONGEST_HISTORY) this.past.shift();
  }

  /**
   * Changes the document, and with it what it is compared with (null: nothing). Changes of one
   * gesture (one drag, say) are one undo step.
   */
  change(edit: (draft: Doc) => void, gesture?: string, compare: Compared | null | undefined = this.comparison.held): void {
    if (this.kept) this.document = this.kept;
    this.kept = undefined;
    const draft = structuredClone(this.document);
    edit(draft);
    this.fit(draft);
    const other = compare ?? undefined;
    if (JSON.stringify(draft) === JSON.stringify(this.document) && other === this.comparison.held) return;
    if (gesture === undefined || gesture !== this.gesture) this.remember();
    this.gesture = gesture;
    this.future = [];
    this.bases.set(draft, this.base);
    this.become(draft, other);
  }

  // Inputs follow what was chosen, once it is known what that needs.
  private fit(draft: Doc): void {
    if (!this.book.whole) return;
    serve(this.book, draft, this.shelf, strings.sampleTokens);
    refit(this.book, draft);
  }

  /** Fetches the rest of the catalogue. */
  async learn(): Promise<void> {
    if (this.book.whole) return;
    await this.book.learn();
    this.tell();
  }

  endGesture(): void {
    this.gesture = undefined;
  }

  set(path: string, value: Json | undefined, gesture?: string): void {
    this.change((draft) => set(draft, path, value), gesture);
  }

  /** Chooses a menu's entry; where it does not fit what is here, its own example takes over, in the same step. */
  pick(id: string | undefined, title: string, edit: (draft: Doc) => void): void {
    const before = this.kept ?? this.document;
    this.notice = undefined;
    this.change(edit);
    this.entry = this.document === before ? undefined : { id, title, before, document: this.document };
  }

  /** Whether the notice speaks of something that one undo takes back. */
  get insteadShown(): boolean {
    return this.notice !== undefined && this.entry?.document === this.document && this.document !== this.entry.before;
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    if (this.insteadShown) this.notice = undefined;
    this.future.push(this.moment);
    this.gesture = undefined;
    this.become(last.document, last.compare);
  }

  redo(): void {
    const next = this.future.pop();
    if (!next) return;
    this.past.push(this.moment);
    this.become(next.document, next.compare);
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
  begin(document: Doc, compare?: Compared): void {
    this.document = document;
    this.comparison.held = compare;
    this.bases.set(document, document);
  }

  /** Takes a document from outside, such as a link. */
  open(document: Doc, compare?: Compared): void {
    this.fresh = true;
    this.notice = undefined;
    this.gesture = undefined;
    this.remember();
    this.future = [];
    this.bases.set(document, document);
    this.become(document, compare);
  }

  private become(document: Doc, compare: Compared | undefined): void {
    want();
    this.document = document;
    if (compare !== this.comparison.held) this.comparison.hold(compare);
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
    if (!directory.ok && !directory.error.refused && this.entry?.document === document) return this.stand(this.entry, directory.error);
    this.busy = document !== this.document;
    if (directory.ok && answer.data) this.accept(new Result(directory, answer.data));
    else this.refuse(directory.error);
    this.fresh = false;
    this.tell();
    if (!this.busy) measured();
  }

  private async stand(entry: Entry, error: Located): Promise<void> {
    const { document, notice } = await standIn(this.client, entry, error);
    if (this.document !== entry.document) return;
    if (document === entry.before) this.past.pop();
    else this.bases.set(document, this.base);
    this.notice = notice;
    this.entry = { ...entry, id: undefined, document };
    this.become(document, this.comparison.held);
  }

  private accept(result: Result): void {
    this.result = this.result ? result.keep(this.result) : result;
    this.error = undefined;
    if (this.lock && !this.stillThere(this.lock)) this.lock = undefined;
    this.hover = undefined;
    this.explainer.soon(this.gesture !== undefined);
  }

  /** Something is still to be asked about what is shown. */
  get waiting(): boolean {
    return this.explainer.waiting;
  }

  // A link or an attribute that the engine refuses leaves no picture, so what was there before
  // comes back, or else the example takes over.
  private refuse(error: Located): void {
    if (error.refused) {
      this.error = error;
    } else if (this.fresh && this.document !== this.example) {
      const before = this.past.pop();
      this.notice = (before ? strings.linkRefusedHere : strings.linkRefused)(quote(error.message));
      this.become(before?.document ?? structuredClone(this.example), before?.compare);
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
    // A choice that is only tried out says in its menu that it does not fit.
    if (!this.error || this.kept) return undefined;
    const owner = ownerOf(this.error.path, controlPaths(this.book, this.document));
    return owner === path ? this.error.message : undefined;
  }

  /** An error that no control answers for. */
  get looseError(): Located | undefined {
    // A choice that is only tried out says in its menu that it does not fit.
    if (!this.error || this.kept) return undefined;
    const owner = ownerOf(this.error.path, controlPaths(this.book, this.document));
    return owner === undefined ? this.error : undefined;
  }

  /** What stands in the document, or the default that the engine filled in. */
  value(path: string): Json | undefined {
    return get(this.document, path) ?? (this.result && get(this.result.directory.document, path));
  }

  /** Whether what a menu tries out cannot be computed with the inputs that are here. */
  get misfit(): boolean {
    return this.kept !== undefined && this.error !== undefined && !this.busy;
  }

  get active(): Target | undefined {
    return this.lock ?? this.hover;
  }

  point(target: Target | undefined): void {
    if (JSON.stringify(target) === JSON.stringify(this.hover)) return;
    this.hover = target;
    if (!this.lock) void this.explainer.explain();
    this.tell();
  }

  hold(target: Target | undefined): void {
    this.lock = target;
    if (target) this.bringIntoView(target);
    this.explainer.all();
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
      void this.explainer.explain();
    }
    this.tell();
  }

  numberAt(target: Target): number | undefined {
    const tensor = this.result?.find(target.tensor, target.group);
    const value = tensor && this.stillThere(target) ? valueAt(tensor, target.index) : undefined;
    // Of a large map only a row is here, maybe another.
    return tensor?.row !== undefined && Number.isNaN(value) ? undefined : value;
  }
}
