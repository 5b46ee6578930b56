// SPDX-License-Identifier: Apache-2.0
import { effect, signal, untracked } from '@preact/signals-core';
import { cell, computedOnce } from '../state/cells.ts';
import { grown } from '../cost/grow.ts';
import { contextOf } from '../directory/outcome.ts';
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { plane, type Plane, type Result } from '../engine/result.ts';
import type { Doc, JsonObject, Located } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { Wait } from '../state/engine-wait.ts';
import { alone, type Rows } from './standalone-form.ts';
import { type Form, formsOf, type Given, givenOf } from './form.ts';
import { LargeMaps } from './large.ts';
import { type Apart, apartOf, type Contexts, contextsApart } from './size.ts';
import { numbersOf, softmaxMap } from './softmax.ts';
import type { Cell } from '../elements/pointing.ts';
import { pointed } from '../performance-marks.ts';

const same = (a: Cell | undefined, b: Cell | undefined): boolean => a?.[0] === b?.[0] && a?.[1] === b?.[1];

/** The cell that all maps of the place share: pointed at, or locked. */
class Spot {
  @cell pointed: Cell | undefined;
  @cell locked: Cell | undefined;

  /** What the card speaks of. */
  get cell(): Cell | undefined {
    return this.locked ?? this.pointed;
  }

  point(cell: Cell | undefined): void {
    if (!same(cell, untracked(() => this.pointed))) pointed(() => (this.pointed = cell));
  }

  hold(cell: Cell | undefined): void {
    this.locked = same(cell, untracked(() => this.locked)) ? undefined : cell;
  }
}

/** Both maps of one head, and how far they are apart. */
export interface Maps {
  a: Float32Array;
  b: Float32Array;
  rows: number;
  cols: number;
  query: Plane;
  key: Plane;
  mask: Plane | undefined;
  apart: Apart;
  /** How far the contexts are apart; undefined where V is not here, or the form does more than weight it. */
  contexts: Contexts | undefined;
}

/** Larger maps are shown in tiles. */
export const MOST = 512;
// Enough to learn what the results of a form by itself are called.
const FEW = 4;

const drawn = (letter: string, n: number, dim: number): JsonObject =>
  ({ tokens: Array.from({ length: n }, (_, k) => `${letter}${k}`), features: { type: 'embedding', dim } });

/** What the place "Compare" looks at: a form of the document, on the document's own words or on more of them. */
export class Study {
  readonly spot = new Spot();
  /** For what is computed here. */
  readonly wait: Wait;
  private readonly larger = signal<Result | undefined>(undefined);
  private readonly problem = signal<Located | undefined>(undefined);
  private readonly at = signal(0);
  private readonly pieces = signal<LargeMaps | undefined>(undefined);
  /** Grows with every piece. */
  @cell pieceCount = 0;
  private exact: { key: string; of: readonly unknown[]; map: Float32Array } | undefined;
  private readonly ignore: () => void;

  constructor(
    readonly store: Store,
    readonly client: Client,
  ) {
    this.wait = new Wait(client);
    const own = effect(() => {
      const { document, many } = this;
      untracked(() => void this.compute(document, many));
    });
    const large = effect(() => {
      const { form, given, many } = this;
      const long = many === undefined ? (given?.key.shape.at(-2) ?? 0) > MOST : many > MOST;
      untracked(() => void this.split(long ? form : undefined, given, many));
    });
    this.ignore = () => {
      own();
      large();
    };
  }

  close(): void {
    this.ignore();
    this.pieces.peek()?.close();
    this.client.close();
  }

  /** So many drawn words in place of the document's own. */
  get many(): number | undefined {
    return this.store.view.many;
  }

  /** The document that is looked at. */
  @computedOnce get document(): Doc {
    const { documents, book, view } = this.store;
    return view.many === undefined || view.many > MOST ? documents.document
      : grown(book, documents.document, view.many, Number(documents.document['seed'] ?? 1));
  }

  get result(): Result | undefined {
    return this.many === undefined || this.many > MOST ? this.store.sessions.result : this.larger.value;
  }

  get error(): Located | undefined {
    return (this.many === undefined ? undefined : this.problem.value)
      ?? (this.many === undefined || this.many > MOST ? this.store.sessions.error : undefined);
  }

  @computedOnce get forms(): readonly Form[] {
    return formsOf(this.store.book, this.store.documents.document);
  }

  get form(): Form | undefined {
    return this.forms[Math.min(this.at.value, this.forms.length - 1)];
  }

  choose(at: number): void {
    this.at.value = at;
  }

  @computedOnce get given(): Given | undefined {
    const { result, form } = this;
    return result && form && givenOf(result, form);
  }

  @computedOnce get maps(): Maps | undefined {
    const { given } = this;
    if (!given?.map || (this.many ?? 0) > MOST || given.map.shape.at(-1)! > MOST || given.map.shape.at(-2)! > MOST)
      return undefined;
    const { chosen } = this.store.selection;
    const [query, key, map] = [given.query, given.key, given.map].map((tensor) => plane(tensor, chosen)) as [Plane,
      Plane, Plane];
    const mask = given.mask && plane(given.mask, chosen);
    const [rows, cols] = [map.rows, map.cols];
    const b = map.across === 1 && map.down === cols ? map.tensor.data.subarray(map.start, map.start + rows * cols)
      : Float32Array.from({ length: rows * cols }, (_, k) => map.at(Math.floor(k / cols), k % cols));
    const a = this.softmax(query, key, mask);
    const apart = apartOf(a, b, rows, cols);
    const value = given.value && !this.normalises ? plane(given.value, chosen) : undefined;
    return { a, b, rows, cols, query, key, mask, apart,
      contexts: value && contextsApart(a, apart, rows, cols, value) };
  }

  // Whether the form brings its contexts to length 1.
  private get normalises(): boolean {
    const knob = this.form?.mechanism.knobs.find(({ name }) => name === 'normalise');
    return knob !== undefined && (this.form!.own['normalise'] ?? knob.default) === true;
  }

  /** Maps too large for one picture, piece by piece. */
  get large(): LargeMaps | undefined {
    void this.pieceCount;
    return this.pieces.value;
  }

  private async split(form: Form | undefined, given: Given | undefined, many: number | undefined): Promise<void> {
    this.pieces.peek()?.close();
    this.pieces.value = undefined;
    if (!form || !given) return;
    const turn = ++this.turns;
    const example = await this.asked({ kind: 'example', of: form.mechanism.id });
    const width = given.query.shape.at(-1)!;
    const seed = Number(this.store.documents.document['seed'] ?? 1);
    // A map in pieces is read off contexts, which some forms bring to length 1 behind it.
    const plain: JsonObject = form.mechanism.knobs.some(({ name }) => name === 'normalise') ? { normalise: false } : {};
    const make = (query: Rows, key: Rows, value?: JsonObject): Doc =>
      alone(example as unknown as Doc, form, query, key, plain, seed, value);
    const few = await this.answer(make(drawn('q', FEW, width), drawn('w', FEW, width)));
    if (!few || turn !== this.turns) return;
    const names = givenOf(few, { ...form, path: '' });
    const context = contextOf(few)?.name;
    if (!names || context === undefined) return;
    const { chosen } = this.store.selection;
    // The document's own queries and keys, or as many drawn ones.
    const [query, key]: [Rows, Rows] = many === undefined ? [plane(given.query, chosen), plane(given.key, chosen)]
      : [drawn('q', many, width), drawn('w', many, width)];
    const rows = many === undefined ? undefined
      : await this.answer({ ...make(query, key), outputs: [names.query.name, names.key.name] });
    if (turn !== this.turns || (many !== undefined && !rows)) return;
    const [q, k] = rows ? [rows.find(names.query.name)!, rows.find(names.key.name)!].map((tensor) =>
      plane(tensor, {})) as [Plane, Plane] : [query as Plane, key as Plane];
    const numbers = (of: Plane) => Float32Array.from(numbersOf(of));
    this.pieces.value = new LargeMaps(
      { q: numbers(q), k: numbers(k), rows: q.rows, keys: k.rows, width: q.cols, causal: given.mask !== undefined },
      this.client,
      (value) => ({ ...make(query, key, value), outputs: [context] }), () => this.pieceCount++);
  }
  private turns = 0;

  private async asked(what: Parameters<Client['send']>[0]): Promise<unknown> {
    const answer = await this.client.send(what);
    return answer && JSON.parse(answer.text);
  }

  private async answer(document: Doc): Promise<Result | undefined> {
    const answer = await compute(this.client, document, 'answer');
    if (answer) this.problem.value = answer.error;
    return answer?.result;
  }

  // A knob moves the form alone: as long as queries and keys are the same numbers, so is their softmax.
  private softmax(query: Plane, key: Plane, mask: Plane | undefined): Float32Array {
    const of = [query.tensor.data, key.tensor.data, mask?.tensor.data];
    const name = [query.start, key.start, mask?.start].join();
    if (this.exact?.key !== name || this.exact.of.some((one, k) => one !== of[k]))
      this.exact = { key: name, of, map: softmaxMap(query, key, mask) };
    return this.exact.map;
  }

  private async compute(document: Doc, many: number | undefined): Promise<void> {
    if (many === undefined || many > MOST) return void (this.larger.value = this.problem.value = undefined);
    const answer = await compute(this.client, document, 'run');
    if (!answer || this.document !== document) return;
    this.problem.value = answer.error;
    const { result } = answer;
    if (!result) return;
    const before = this.larger.peek();
    this.larger.value = before ? result.keep(before) : result;
  }
}
