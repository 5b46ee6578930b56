// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from '@preact/signals-core';
import { cell, computedOnce } from './cells.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { History, type Moment } from './history.ts';
import type { Compared } from './parse.ts';
import { set } from '../engine/pointer.ts';

const isBranch = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
// A member that is undefined is none: JSON does not write it.
const membersOf = (branch: JsonObject): string[] =>
  Object.keys(branch).filter((key) => (branch[key] as Json | undefined) !== undefined);

/**
 * The value after an edit, made of the parts that were there before wherever they are equal; the value before if all of
 * it is. So a step of the history holds what it changed and not a copy of the rest, and `===` tells whether anything
 * changed. The order of members counts, as it does in a text. `after` must belong to nobody else.
 */
function sharing<T>(before: T, after: T): T;
function sharing(before: unknown, after: unknown): unknown {
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  const [keys, others] = [membersOf(after), membersOf(before)];
  let same = keys.length === others.length;
  keys.forEach((key, k) => {
    const shared = sharing<Json | undefined>(before[key], after[key]);
    if (shared !== before[key] || key !== others[k]) same = false;
    else after[key] = shared!;
  });
  return same ? before : after;
}

// A gesture that pauses for longer than this many milliseconds is over.
const PAUSE = 1000;

/** Makes a draft's inputs follow what was chosen in it. */
export type Fit = (draft: Doc) => void;

/** Puts another document in the place of a draft. */
export function exchange(draft: Doc, document: Doc): void {
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, structuredClone(document));
}

/** The document with its history. It knows nothing of the engine or of what is drawn. */
export class Documents {
  private readonly now;
  private readonly tried = signal<Moment | undefined>(undefined);
  private readonly history = new History();
  /** Grows when the reader sets out anew: from a preset, a link, or the beginning. */
  @cell starts = 0;
  /** How many documents came from outside. */
  @cell arrivals = 0;
  private readonly bases = new WeakMap<Doc, Doc>();
  private readonly moving = signal<string | undefined>(undefined);
  private paused: { gesture: string; at: number } | undefined;
  private outside = true;
  private readonly given = computed(() => JSON.stringify(Object.keys(this.document['parameters'] ?? {})));

  constructor(
    document: Doc,
    readonly example: Doc,
    private readonly fit: Fit = () => undefined,
  ) {
    this.now = signal<Moment>({ document, compare: undefined });
  }

  @computedOnce get document(): Doc {
    return this.now.value.document;
  }

  @computedOnce get compare(): Compared | undefined {
    return this.now.value.compare;
  }

  /** Both together; a new object at each change of either. */
  get moment(): Moment {
    return this.now.value;
  }

  /** Whether the document itself gives this parameter. */
  gives(parameter: string): boolean {
    return (JSON.parse(this.given.value) as string[]).includes(parameter);
  }

  /** So many steps led to what is shown; undo takes one away. */
  get depth(): number {
    return this.history.depth;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** The documents that undo leads back to, the oldest first. */
  get past(): Doc[] {
    return this.history.documents;
  }

  /** A gesture, such as a drag, goes on. */
  get dragging(): boolean {
    return this.gesture !== undefined;
  }

  /** The same, for whoever wants to know when it ends. */
  get held(): boolean {
    return this.moving.value !== undefined;
  }

  private get gesture(): string | undefined {
    return this.moving.peek();
  }

  private set gesture(name: string | undefined) {
    this.moving.value = name;
    this.paused = undefined;
  }

  /** What is shown is only tried out. */
  get trying(): boolean {
    return this.tried.value !== undefined;
  }

  /** What is kept while something is tried out, else the document. */
  get kept(): Doc {
    return (this.tried.value ?? this.now.value).document;
  }

  /** The document came from outside, and no picture of it has been made yet. */
  get arrived(): boolean {
    return this.outside;
  }

  /** What this document set out from: the example, a preset, a link or a file. */
  @computedOnce get base(): Doc {
    return this.bases.get(this.document) ?? this.example;
  }

  /** What an edit would give; nothing is changed. */
  drafted(edit: (draft: Doc) => void): Doc {
    return this.edited(this.kept, edit);
  }

  /** Shows what an edit would give, without keeping it; without an edit, what was there before. */
  preview(edit?: (draft: Doc) => void): void {
    const before = this.tried.value ?? this.now.value;
    if (!edit && !this.trying) return;
    batch(() => {
      this.tried.value = edit ? before : undefined;
      this.now.value = edit ? { ...before, document: this.edited(before.document, edit) } : before;
    });
  }

  /** Changes the document, and what it is compared with (null: nothing). Changes of one gesture are one undo step. */
  change(edit: (draft: Doc) => void, gesture?: string, compare?: Compared | null): void {
    const before = this.tried.value ?? this.now.value;
    const document = sharing(before.document, this.edited(before.document, edit));
    const other = compare === undefined ? before.compare : (compare ?? undefined);
    const same = document === before.document && other === before.compare;
    batch(() => {
      this.tried.value = undefined;
      if (same) return void (this.now.value = before);
      if (!this.goesOn(gesture)) this.history.remember(before);
      this.history.forgetFuture();
      this.gesture = gesture;
      this.bases.set(document, this.bases.get(before.document) ?? this.example);
      this.now.value = { document, compare: other };
    });
  }

  set(path: string, value: Json | undefined, gesture?: string): void {
    this.change((draft) => set(draft, path, value), gesture);
  }

  endGesture(): void {
    this.gesture = undefined;
  }

  /** Nobody can tell whether the gesture is over, as with presses of a key: what follows soon belongs to it. */
  pauseGesture(): void {
    const gesture = this.gesture ?? this.paused?.gesture;
    this.endGesture();
    this.paused = gesture === undefined ? undefined : { gesture, at: performance.now() };
  }

  private goesOn(gesture: string | undefined): boolean {
    if (gesture === undefined) return false;
    const { paused } = this;
    return gesture === this.gesture || (paused?.gesture === gesture && performance.now() - paused.at < PAUSE);
  }

  undo(): void {
    this.become(() => this.history.undo(this.now.value));
  }

  redo(): void {
    this.become(() => this.history.redo(this.now.value));
  }

  /** Back to what it set out from, with the seed as it is now. */
  reset(): void {
    const { base } = this;
    const seed = this.document['seed'];
    batch(() => {
      this.starts++;
      this.change((draft) => exchange(draft, seed === undefined ? base : { ...base, seed }));
    });
  }

  /**
   * Sets out anew from another document, such as a preset or a lesson's; undo brings back what was there. `base`: what
   * it is taken to have set out from, itself without one.
   */
  replace(document: Doc, compare?: Compared | null, base?: Doc): void {
    const before = this.document;
    this.endGesture();
    batch(() => {
      this.starts++;
      this.change((draft) => exchange(draft, document), undefined, compare);
      if (this.document !== before) this.bases.set(this.document, base ?? this.document);
    });
  }

  /** The first document, before anything has been drawn. `base`: what it set out from, itself without one. */
  begin(document: Doc, compare?: Compared, base: Doc = document): void {
    this.bases.set(document, base);
    this.now.value = { document, compare };
  }

  /** Takes a document from outside, such as a link. */
  open(document: Doc, compare?: Compared): void {
    this.outside = true;
    this.gesture = undefined;
    this.bases.set(document, document);
    batch(() => {
      this.starts++;
      this.arrivals++;
      this.history.remember(this.tried.value ?? this.now.value);
      this.tried.value = undefined;
      this.now.value = { document, compare };
    });
  }

  /** Another document stands for the last one, in the same step; without one, the step was never made. */
  amend(document?: Doc): void {
    if (document) this.bases.set(document, this.base);
    this.become(() => document ? { ...this.now.value, document }
      : (this.history.drop() ?? { document: structuredClone(this.example), compare: undefined }));
  }

  /** What follows from the last step by itself belongs to it. */
  follow(edit: (draft: Doc) => void): void {
    const before = this.now.value;
    const document = sharing(before.document, this.edited(before.document, edit));
    if (document === before.document) return;
    this.bases.set(document, this.base);
    this.now.value = { ...before, document };
  }

  /** There is a picture of the document, or an error that stays. */
  settle(): void {
    this.outside = false;
  }

  private edited(document: Doc, edit: (draft: Doc) => void): Doc {
    const draft = structuredClone(document);
    edit(draft);
    this.fit(draft);
    return draft;
  }

  private become(next: () => Moment | undefined): void {
    this.gesture = undefined;
    batch(() => {
      this.tried.value = undefined;
      this.now.value = next() ?? this.now.value;
    });
  }
}
