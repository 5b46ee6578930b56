// SPDX-License-Identifier: Apache-2.0
import { signal, untracked } from '@preact/signals-core';
import { computedOnce } from '../state/cells.ts';
import { domainIn } from '../colour/scale.ts';
import { isMask, isWeights, kindOf, naming } from '../directory/naming.ts';
import { headAt, headsIn } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import { type Plane, plane, Result, type Tensor } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import { arrange, maskOf, tensorsOf } from '../directory/modules.ts';
import { mapShown } from '../flow/open.ts';
import { titleOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { withMap } from '../strings/heads.ts';
import { phrase, quote } from '../strings/quote.ts';
import { Answers } from './answers.ts';
import { carry, type Carried } from './carried.ts';
import type { Brought, Course, Moment } from './course.ts';
import { type Lecture, MOST } from '../state/lecture.ts';
import { add, addAll, moments, remove, rename } from './memory.ts';
import { type Common, commonOf, type Scene } from './scene.ts';
import { nameFor } from './suggest.ts';
import { words } from './words.ts';

// A document of more multiplications than these is computed when its moment is shown, not before.
const HEAVY = 1e8;

interface Entry extends Moment {
  document: Doc;
}

const same = (one: Doc, other: Doc): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a lecture can show of a result: its maps, or where it has none, every matrix of it. */
export function picturesOf(result: Result, large?: string): Tensor[] {
  const { modules, others } = arrange(result);
  const maps = modules.flatMap(({ weights }) => (weights ? [weights] : []));
  const all = [...modules.flatMap(tensorsOf), ...others].filter(({ shape }) => shape.length > 1);
  const chosen = result.tensors.filter(({ name }) => name === large).slice(0, 1);
  return [...new Set([...chosen, ...(maps.length > 0 ? maps : all)])].filter((tensor) =>
    tensor.data.length > 0 && tensor.row === undefined && !isMask(tensor));
}

export const headsOf = (tensor: Tensor): number =>
  (tensor.heads ?? tensor.shape[tensor.places.indexOf(HEAD)] ?? 0);

// Of keys that heads share, the head that reads them; of several maps of a head, also which one.
function headOf({ tensor, held }: Plane, chosen: Record<string, number>, heads: number): string {
  const { maps = 1 } = tensor;
  if (maps === 1) return words().headOf(Math.min(chosen[HEAD] ?? 0, heads - 1) + 1, heads);
  const { head, map } = headAt(tensor, held[tensor.places.indexOf(HEAD)] ?? 0);
  return withMap(words().headOf(head, headsIn(tensor) / maps), map);
}

/** One head of one matrix, with the words along it. */
export function sceneOf(result: Result, tensor: Tensor, chosen: Record<string, number>, title?: string): Scene {
  const shown = plane(tensor, chosen);
  const mask = maskOf(result, tensor);
  const over = mask && plane(mask, chosen);
  const names = (which: 'row' | 'col', count: number) => {
    const found = result.labels(shown.axis(which) ?? '');
    return found?.length === count ? found : Array.from({ length: count }, (_, k) => String(k));
  };
  const kind = kindOf(tensor);
  const heads = headsOf(tensor);
  return {
    title: naming(tensor).title || tensor.name, role: naming(tensor).role,
    notes: [...(heads > 1 ? [headOf(shown, chosen, heads)] : []),
      ...(title === undefined ? [] : [title])],
    rows: names('row', shown.rows), columns: names('col', shown.cols), cells: shown,
    mask: over?.rows === shown.rows && over.cols === shown.cols ? over : undefined,
    kind, shares: isWeights(tensor), domain: domainIn(tensor.data, kind), written: undefined, links: [],
  };
}

/** A lecture on documents: moments that came from elsewhere, those that the reader kept, or the page's undo steps. */
export class Looking implements Course {
  readonly removesAll = true;
  private readonly answers: Answers;
  private readonly lecture = signal<Lecture | undefined>(undefined);
  private readonly chosen = signal(0);
  private readonly picture = signal<string | undefined>(undefined);
  private readonly head = signal(0);

  /** `called`: a document's title in the reader's words. */
  constructor(private readonly store: Store, lecture?: Lecture,
    private readonly called: (title: string) => string = phrase) {
    this.lecture.value = lecture;
    this.answers = new Answers(store.client);
    const { sessions, selection, view, documents } = store;
    const { result } = sessions;
    if (result && !sessions.busy) this.answers.put(documents.kept, result);
    this.head.value = selection.chosen[HEAD] ?? 0;
    this.picture.value = result && (view.large ?? mapShown(store)?.name);
    const { at, map, head } = lecture ?? {};
    if (map !== undefined) this.picture.value = map;
    if (head !== undefined) this.head.value = head;
    if (at === undefined) this.turnTo(documents.kept);
    else this.chosen.value = at;
    void this.fetch();
  }

  private turnTo(document: Doc): void {
    this.chosen.value = Math.max(0, untracked(() => this.moments).findLastIndex((one) => same(one.document, document)));
  }

  // What is shown first comes first.
  private async fetch(): Promise<void> {
    const all = untracked(() => this.moments);
    const here = all[this.chosen.peek()];
    if (here) await this.answers.fetch(here.document);
    const found = here && this.answers.get(here.document);
    if (found instanceof Result && (found.directory.cost?.multiply_adds ?? 0) <= HEAVY)
      await this.answers.fetchAll(all.map(({ document }) => document));
  }

  @computedOnce get moments(): readonly Entry[] {
    const { documents, comparison, book } = this.store;
    const { kept: present } = documents;
    const brought = this.lecture.value;
    if (brought) return brought.moments.map(({ name, document }, k) =>
      ({ name: name || words().numbered(k + 1), document, own: false, fixed: true }));
    const kept = moments();
    if (kept.length > 0) {
      const own = kept.map(({ name, document }, k): Entry =>
        ({ name: name || words().numbered(k + 1), document, own: true }));
      return own.some(({ document }) => same(document, present)) ? own
        : [...own, { name: words().now, document: present, own: false, fixed: true }];
    }
    if (comparison.on) {
      return (['A', 'B'] as const).map((side) => {
        const document = comparison.documentOf(side);
        const title = book.choices(document).map(({ mechanism }) => mechanism?.title).find(Boolean) ?? side;
        return { name: words().side(side, title), document, own: false, fixed: true };
      });
    }
    const steps = [...documents.past, present].slice(-MOST).filter((one, k, all) => k === 0 || !same(one, all[k - 1]!));
    const named: Entry[] = [];
    for (const document of steps)
      named.push({ name: steps.length === 1 ? words().now : nameFor(book, document, named), document, own: false,
        fixed: true });
    return named;
  }

  get proposed(): boolean {
    return moments().length === 0 && !this.lecture.value;
  }

  get brought(): Brought | undefined {
    const lecture = this.lecture.value;
    return lecture && { keep: () => {
      const shown = lecture.moments[this.at]!.document;
      return addAll(untracked(() => this.moments)) && (this.leave(shown), true);
    }, putAway: () => this.leave(this.store.documents.kept) };
  }

  get shown(): Lecture | undefined {
    const lecture = this.lecture.value;
    const [map, head] = [this.picture.value, this.head.value];
    return lecture && { moments: lecture.moments, at: this.at, ...(map === undefined ? {} : { map }),
      ...(head > 0 ? { head } : {}) };
  }

  // What came is gone from here on; of the reader's own moments the list shows this one.
  private leave(shown: Doc): void {
    this.lecture.value = undefined;
    this.turnTo(shown);
    void this.fetch();
  }

  get at(): number {
    return Math.min(this.chosen.value, this.moments.length - 1);
  }

  private sceneAt(at: number): Scene | undefined {
    const entry = this.moments[at];
    const result = entry && this.answers.get(entry.document);
    const tensor = result instanceof Result ? this.tensorIn(result) : undefined;
    if (!entry || !(result instanceof Result) || !tensor) return undefined;
    const title = this.moments.length > 1 ? titleOf(entry.document) : undefined;
    return sceneOf(result, tensor, { ...this.store.selection.chosen, [HEAD]: this.head.value },
      title === undefined ? undefined : this.called(title));
  }

  // Another document may lack the map that was chosen.
  private tensorIn(result: Result): Tensor | undefined {
    const all = picturesOf(result, this.store.view.large);
    return all.find(({ name }) => name === this.picture.value)
      ?? all.find((one) => one === mapShown(this.store, result)) ?? all[0];
  }

  get scene(): Scene | undefined {
    return this.sceneAt(this.at);
  }

  get problem(): string | undefined {
    const entry = this.moments[this.at];
    const found = entry && this.answers.get(entry.document);
    if (!found) return words().waiting;
    if (!(found instanceof Result)) return words().refused(quote(found.problem));
    if (this.tensorIn(found)) return undefined;
    return found.left.some(isWeights) ? words().tooLarge : words().nothing;
  }

  @computedOnce get common(): Common {
    return commonOf(this.moments.flatMap((_, k) => this.sceneAt(k) ?? []), this.scene);
  }

  // The only moment of a page is not told from others: what it shows says more than "now".
  get name(): string {
    const all = this.moments, entry = all[this.at];
    if (!entry || all.length > 1 || entry.own) return entry?.name ?? '';
    const title = titleOf(entry.document);
    return title === undefined ? words().title : this.called(title);
  }

  private get answer(): Result | undefined {
    const entry = this.moments[this.at];
    const found = entry && this.answers.get(entry.document);
    return found instanceof Result ? found : undefined;
  }

  get heads(): number {
    const { answer } = this;
    const tensor = answer && this.tensorIn(answer);
    return tensor ? headsOf(tensor) : 0;
  }

  get modules(): number {
    const { answer } = this;
    return answer ? picturesOf(answer, this.store.view.large).length : 0;
  }

  go(at: number): void {
    const all = untracked(() => this.moments);
    this.chosen.value = Math.min(Math.max(0, at), all.length - 1);
    const entry = all[this.chosen.peek()];
    if (entry) void this.answers.fetch(entry.document);
  }

  step(by: number): void {
    this.go(this.at + by);
  }

  turnHead(by: number): void {
    const { heads } = this;
    if (heads > 1) this.head.value = (Math.min(this.head.peek(), heads - 1) + by + heads) % heads;
  }

  turnModule(): void {
    const { answer } = this;
    if (!answer) return;
    const all = picturesOf(answer, this.store.view.large);
    const now = this.tensorIn(answer);
    this.picture.value = all[(all.findIndex((one) => one === now) + 1) % all.length]?.name;
  }

  /** Keeps the page's document, or the moment that is shown of those that came or are only proposed. */
  add(): string | undefined {
    const { documents, book } = this.store;
    const brought = this.lecture.peek();
    const entry = this.proposed || brought ? untracked(() => this.moments)[this.at] : undefined;
    const document = entry?.document ?? documents.kept;
    const kept = moments();
    const known = kept.find((one) => same(one.document, document));
    if (known) return known.name;
    const named = entry && entry.name !== words().now ? entry.name : nameFor(book, document, kept);
    const added = add(named, document);
    // The list may be another now: what is shown stays shown.
    const now = brought ? -1 : untracked(() => this.moments).findIndex((one) => same(one.document, document));
    if (added && now >= 0) this.chosen.value = now;
    return added ? named : undefined;
  }

  rename(at: number, name: string): void {
    if (untracked(() => this.moments)[at]?.own) rename(at, name);
  }

  remove(at: number): void {
    if (!untracked(() => this.moments)[at]?.own) return;
    remove(at);
    untracked(() => this.go(Math.min(this.chosen.peek(), this.moments.length - 1)));
  }

  carried(): Promise<Carried> {
    const { answer } = this;
    const tensor = answer && this.tensorIn(answer);
    return carry({ at: this.at,
      moments: untracked(() => this.moments).map(({ name, document }) => ({ name, document })),
      ...(tensor ? { map: tensor.name } : {}), ...(this.head.peek() > 0 ? { head: this.head.peek() } : {}) });
  }

  close(): void {
    this.answers.close();
  }
}

/** Keeps what the page shows as a moment, without opening the lecture: the name that it got, or nothing. */
export function keepNow({ documents, book }: Store): string | undefined {
  const kept = moments();
  const { kept: document } = documents;
  const known = kept.find((one) => same(one.document, document));
  if (known) return known.name;
  const name = nameFor(book, document, kept);
  return add(name, document) ? name : undefined;
}
