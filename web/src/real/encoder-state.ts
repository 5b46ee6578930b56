// SPDX-License-Identifier: Apache-2.0
// What the encoder's picture shows: two sentences, one head in both, one weight. One for each page.
import { batch, signal, untracked } from '@preact/signals-core';
import { HEAD } from '../directory/places.ts';
import { plane, type Plane, type Result } from '../engine/result.ts';
import { arrange, type Module } from '../directory/modules.ts';
import type { Store } from '../state/store.ts';
import { encoderDocument, FIRST, nameOf, sentencesOf } from './document.ts';
import { modelStage } from './model.ts';
import { isEncoder, opening } from '../engine/encoder.ts';
import { asInput, type Cut, textOf } from './pieces.ts';
import { shownPiece } from '../strings/displayed-word.ts';
import { Sentences } from './sentences.ts';
import { seenOf } from '../state/link-view.ts';

export type Side = 0 | 1;
export const SIDES = [0, 1] as const;

export interface Cell {
  side: Side;
  row: number;
  col: number;
}

export interface Layered {
  module: Module;
  heads: number;
}

const desks = new WeakMap<Store, Desk>();

export class Desk {
  readonly sentences: Sentences;
  /** The sentence that a narrow page shows, and that keys move in. */
  readonly side = signal<Side>(0);
  readonly pointed = signal<Cell | undefined>(undefined);
  readonly locked = signal<Cell | undefined>(undefined);
  // What is typed and no sentence: an empty field, or anything before the model is here.
  private readonly typed = signal<readonly (string | undefined)[]>([]);
  private readonly last: (Result | undefined)[] = [];

  private constructor(readonly store: Store) {
    this.sentences = new Sentences(store);
  }

  static of(store: Store): Desk {
    let desk = desks.get(store);
    if (!desk) desks.set(store, desk = new Desk(store));
    return desk;
  }

  /** Opens the encoder with two sentences, on the head that the first heading speaks of. */
  open(): void {
    const stage = modelStage();
    if (stage.is !== 'here') return;
    const texts = FIRST.map((text, k) => untracked(() => this.typed.value)[k]?.trim() || text);
    batch(() => {
      this.store.documents.replace(encoderDocument(stage.pieces, texts));
      // Whoever unfolded the computation of the document before did not ask for that of the encoder.
      this.store.view.show({ how: false });
      opening.value = undefined;
      this.typed.value = [];
      this.choose(1, 1);
      this.lockBank();
    });
  }

  /** The largest weight of the second row of the second sentence, but for that on the word itself. */
  private lockBank(): void {
    this.locked.value = { side: 1, row: 1, col: (this.cut(1)?.pieces.length ?? 1) - 1 };
    this.side.value = 1;
  }

  cut(k: number): Cut | undefined {
    const { document } = this.store.documents;
    return isEncoder(document) ? sentencesOf(document)[k] : undefined;
  }

  /** What stands in a field. */
  text(k: number): string {
    const cut = this.cut(k);
    return this.typed.value[k] ?? (cut ? textOf(cut.pieces) : (FIRST[k] ?? ''));
  }

  /** Whether a field is empty, so that nothing can be shown of it. */
  isEmpty(k: number): boolean {
    return this.text(k).trim() === '';
  }

  /** Whether the picture's two sentences have a word in common. */
  sharesWord(): boolean {
    const [first, second] = SIDES.map((k) => new Set(this.text(k).toLowerCase().match(/[\p{L}\p{N}]+/gu)));
    return [...first!].some((word) => second!.has(word));
  }

  type(k: number, text: string): void {
    const stage = modelStage();
    const cut = stage.is === 'here' ? stage.pieces.cut(text) : undefined;
    const before = this.cut(k)?.pieces ?? [];
    batch(() => {
      this.typed.value = Array.from({ length: Math.max(k + 1, this.typed.value.length) },
        (_, at) => (at === k ? text : this.typed.value[at]));
      if (!cut || cut.ids.length === 0) return;
      this.store.documents.change((draft) => void (draft.inputs[nameOf(k)] = asInput(cut)), `sentence ${k}`);
      if (this.locked.value?.side === k) this.locked.value = cellAfterEdit(this.locked.value, before, cut.pieces);
    });
  }

  /** Typing ends: undo takes back what was typed as one step, and the field shows what the model reads. */
  rest(k: number): void {
    this.store.documents.endGesture();
    // Before the model is here there is nothing that it reads.
    if (this.cut(k) && !this.isEmpty(k))
      this.typed.value = this.typed.value.map((text, at) => (at === k ? undefined : text));
  }

  /** Sentences behind the picture's two, of which one can be taken away. */
  remove(k: number): void {
    const { document } = this.store.documents;
    const cuts = sentencesOf(document).filter((_, at) => at !== k);
    this.typed.value = [];
    this.store.documents.change((draft) => {
      for (const name of Object.keys(draft.inputs)) delete draft.inputs[name];
      cuts.forEach((cut, at) => (draft.inputs[nameOf(at)] = asInput(cut)));
    });
  }

  /** The answer for a sentence; while a new one is computed, the one before. */
  result(k: number): Result | undefined {
    const { documents: { document }, sessions } = this.store;
    const cut = this.cut(k);
    if (!cut || modelStage().is !== 'here') return undefined;
    const now = k === 0 ? sessions.result : this.sentences.of(document, cut, String(k));
    if (now && sameModel(now, document)) this.last[k] = now;
    return this.last[k];
  }

  /** The attention modules that have maps, in order. */
  layers(): Layered[] {
    const found = this.result(0) ?? this.result(1);
    if (!found) return [];
    return arrange(found).modules.filter(({ weights }) => weights).map((module) =>
      ({ module, heads: module.weights!.shape[module.weights!.places.indexOf(HEAD)] ?? 1 }));
  }

  /** Which head is large: layer and head from 0. */
  get head(): [layer: number, head: number] {
    const { view, selection } = this.store;
    const layers = this.layers();
    const layer = Math.max(0, layers.findIndex(({ module }) => module.name === view.module));
    return [layer, Math.min(selection.chosen[HEAD] ?? 0, Math.max(0, (layers[layer]?.heads ?? 1) - 1))];
  }

  choose(layer: number, head: number): void {
    const module = this.layers()[layer]?.module.name ?? `attention-${layer + 1}`;
    batch(() => {
      this.store.view.show({ module });
      this.store.selection.choose(HEAD, head);
    });
  }

  /**
   * Unfolds how the locked weight was computed. The model reads the first sentence of the document, so a sentence with
   * a locked weight has to be that one.
   */
  explain(): void {
    if (this.locked.value?.side === 1) this.swap();
    const [layer, head] = this.head;
    const cell = this.locked.value;
    const weights = this.layers()[layer]?.module.weights;
    const index = weights && cell && weights.places.map((place, axis) => (place === HEAD ? head
      : axis === weights.shape.length - 2 ? cell.row : axis === weights.shape.length - 1 ? cell.col : 0));
    this.store.restore({ ...seenOf(this.store), how: true,
      ...(index ? { lock: { group: 'outputs', tensor: weights.name, index } } : {}) });
  }

  private swap(): void {
    batch(() => {
      this.store.documents.change((draft) => {
        const [first, second] = SIDES.map((k) => draft.inputs[nameOf(k)]!);
        Object.assign(draft.inputs, { [nameOf(0)]: second, [nameOf(1)]: first });
      });
      [this.last[0], this.last[1]] = [this.last[1], this.last[0]];
      this.typed.value = [];
      this.locked.value = { ...this.locked.value!, side: 0 };
      this.side.value = 0;
    });
  }

  plane(k: number, layer: number, head: number): Plane | undefined {
    const result = this.result(k);
    const maps = result && arrange(result).modules.filter(({ weights }) => weights)[layer]?.weights;
    return maps && plane(maps, { [HEAD]: head });
  }

  /** The pieces of the answer that is shown, which typing may be ahead of. */
  pieces(k: number): string[] {
    const input = this.result(k)?.directory.document.inputs[nameOf(0)];
    const labels = input?.['labels'];
    const shown = Array.isArray(labels) ? labels.map(String) : (this.cut(k)?.pieces ?? []);
    return shown.map(shownPiece);
  }

  get cell(): Cell | undefined {
    return this.pointed.value ?? this.locked.value;
  }
}

/** The weight between the same two words after an edit; undefined where one of them is no longer in the sentence. */
export function cellAfterEdit(cell: Cell, before: readonly string[], after: readonly string[]): Cell | undefined {
  const to = (at: number): number => (after[at] === before[at] ? at : after.indexOf(before[at] ?? ''));
  const [row, col] = [to(cell.row), to(cell.col)];
  return before[cell.row] === undefined || before[cell.col] === undefined || row < 0 || col < 0 ? undefined
    : { ...cell, row, col };
}

// Numbers of another document, such as the one that was shown before, are not the encoder's.
const sameModel = (result: Result, document: Store['documents']['document']): boolean =>
  isEncoder(result.directory.document) === isEncoder(document);
