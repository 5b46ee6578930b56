// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { HEAD } from '../directory/places.ts';
import { set } from '../engine/pointer.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, Target } from '../engine/types.ts';
import { ships } from '../real/model.ts';
import type { Compared } from '../state/parse.ts';
import { type Seen, seenOf } from '../state/link-view.ts';
import type { Store } from '../state/store.ts';
import { answerIn, isRight } from './answer.ts';
import { broughtTo, linkTo } from './brought.ts';
import { lasts, measuresIn, met, onlyLooks, type Scene } from './condition.ts';
import { lackOf, measure } from './measure.ts';
import type { Answered, Condition, Lesson } from './types.ts';
import { keep, recalled } from '../state/recent-lists.ts';

const KEY = 'attention-playground.lessons';
let here = new Set<string>();

/** The ids of the lessons that were finished; kept by the browser where it lets us. */
function recall(): Set<string> {
  here = new Set([...here, ...recalled(KEY)]);
  return here;
}

function remember(id: string): void {
  here = recall().add(id);
  keep(KEY, here);
}

const files = import.meta.glob<Lesson>('./data/*.json', { eager: true, import: 'default' });

/** Every lesson, in the order of the course. */
export const lessons: Lesson[] = Object.values(files).sort((a, b) => a.order - b.order);

export { wordsIn as wordsOf } from './read.ts';

/** Those that the engine at hand can show: all their mechanisms are in its catalogue. */
export function availableLessons(store: Store): Lesson[] {
  const known = new Set(store.book.catalogue.mechanisms.flatMap((m) => [m.id, ...m.aliases]));
  const types = (value: unknown): string[] => {
    if (value === null || typeof value !== 'object') return [];
    const own = (value as { type?: unknown }).type;
    return [...(typeof own === 'string' ? [own] : []), ...Object.values(value).flatMap(types)];
  };
  return lessons.filter((lesson) => (!lesson.model || ships) &&
    [...types(lesson.document?.mechanism), ...types(lesson.steps)].every((id) => known.has(id)));
}

/** Lessons by chapter: a chapter stands where its first lesson does, and the words only say what it is called. */
export function byChapter<One extends Pick<Lesson, 'chapter'>>(all: readonly One[]): [string, One[]][] {
  const found = new Map<string, One[]>();
  for (const lesson of all) found.set(lesson.chapter, [...(found.get(lesson.chapter) ?? []), lesson]);
  return [...found];
}

/** A lesson of the page, or one that came to it. */
export const lessonOf = (store: Store, id: string): Lesson | undefined =>
  [...availableLessons(store), ...broughtTo(store)].find((one) => one.id === id);

/** The lesson of the page that comes after one; none after a lesson that came. */
export function nextOf(store: Store, id: string): Lesson | undefined {
  const all = availableLessons(store);
  const at = all.findIndex((one) => one.id === id);
  return at < 0 ? undefined : all[at + 1];
}

/** What stands behind the # of the address of a lesson, or of one of its steps, which count from 0 here. */
export const addressOf = (store: Store, id: string, step = 0): string =>
  `lesson=${linkTo(store, id) ?? id}${step > 0 ? `&step=${step + 1}` : ''}`;

// The lesson of each page that has one: it goes on while the reader is at another place.
const underWay = new WeakMap<Store, Course>();
// Grows with each that an address opened.
const opened = signal(0);

/** A lesson under way: it watches the page, and knows when a step is done. */
export class Course {
  step = 0;
  done = false;
  /** What was seen when the step was done still holds of the page. */
  holds = true;
  /** The reader left the last step undone: the lesson is at its end. */
  skipped = false;
  /** It was opened at this step, and nobody did the steps before it. */
  without = false;
  /** What the reader answered in this step: a place in the list of choices, or a text. */
  given: string | number | undefined;
  /** Grows with each step that begins: an answer that was begun belongs to the one before. */
  round = 0;
  /** A link asked for this step, which there is not. */
  unknown: number | undefined;
  /** When it was set up: what was trained before does not count. */
  private begun = 0;
  /** It has put another document in the place of the one before. */
  private replaced = false;
  private then: { document: Doc; result: Result } | undefined;
  private readonly arrivals: number;

  constructor(
    readonly store: Store,
    readonly lesson: Lesson,
    private readonly before: { document: Doc; base: Doc; lock: Target | undefined; compare: Compared | undefined;
      seen: Seen },
  ) {
    this.arrivals = store.documents.arrivals;
  }

  /** The lesson as far as it is on this page, or from its beginning. */
  static at(store: Store, lesson: Lesson): Course {
    const now = underWay.get(store);
    const course = now?.lesson === lesson ? now : Course.begin(store, lesson, now);
    underWay.set(store, course);
    return course;
  }

  /** Whether an address has opened another in its place. */
  get replacedBy(): Course | undefined {
    const now = underWay.get(this.store);
    return now === this ? undefined : now;
  }

  /** Ends it where another document was opened, which it is not about. */
  static forget(store: Store): void {
    underWay.delete(store);
    store.view.show({ lesson: undefined });
  }

  /** Begins it at a step, which count from 1, whatever is under way. */
  static open(store: Store, lesson: Lesson, step: number): void {
    const known = step >= 1 && step <= lesson.steps.length;
    const course = Course.begin(store, lesson, underWay.get(store), known ? step - 1 : 0);
    if (!known) course.unknown = step;
    underWay.set(store, course);
    opened.value++;
  }

  /** Sets the page up; what stood there is kept for leaving. */
  static begin(store: Store, lesson: Lesson, kept?: Course, step = 0): Course {
    // Whoever went to another place of the page meanwhile comes back to that one.
    const stayed = store.view.place === (kept?.lesson.place ?? 'look');
    const earlier = kept && (stayed ? kept.before
      : { ...kept.before, seen: { ...kept.before.seen, place: store.view.place } });
    const before = earlier ?? {
      document: store.documents.document, base: store.documents.base,
      lock: store.selection.lock, compare: store.comparison.held, seen: seenOf(store) ?? {} };
    const course = new Course(store, lesson, before);
    course.step = step;
    // A step may go on with what was done in those before it.
    course.without = step > 0 && !lesson.steps[step]!.document;
    course.setUp();
    return course;
  }

  private setUp(): void {
    const { store, lesson } = this;
    const own = lesson.steps.slice(0, this.step + 1).findLast((step) => step.document)?.document;
    const document = structuredClone(own ?? lesson.document ?? store.example);
    this.begun = Date.now();
    store.view.show({ view: 'matrix', module: undefined, stage: undefined, walk: undefined, table: undefined,
      large: undefined, how: false, notice: [], place: lesson.place ?? 'look' });
    store.documents.replace(document, null);
    this.replaced ||= store.documents.document !== this.before.document;
    store.selection.hold(lesson.lock);
    store.trainings.lengths.value = [];
    if (lesson.place === 'train') store.trainings.begins.value = {};
  }

  afresh(): void {
    this.step = 0;
    this.done = this.skipped = this.without = false;
    this.holds = true;
    this.unknown = this.given = undefined;
    this.round++;
    this.then = undefined;
    this.setUp();
  }

  /** Reads everything that a lesson may wait for, so that a change of any wakes whoever watches. */
  watchAll(): void {
    const { documents, sessions, selection, view } = this.store;
    const { runs, tried, asked, lengths } = this.store.trainings;
    void [opened.value, runs.value, tried.value, asked.value, lengths.value, documents.document, documents.canRedo,
      sessions.busy, sessions.result, selection.lock, selection.chosen, view.module, view.view, view.stage, view.table];
  }

  /** Looks at the page; true when something about the lesson has changed. */
  look(): boolean {
    const { store, lesson } = this;
    if (store.sessions.busy || !store.sessions.result) return false;
    if (!this.then) {
      this.then = { document: store.documents.document, result: store.sessions.result };
      return true;
    }
    const step = lesson.steps[this.step];
    if (!step) return false;
    const { done, holds } = this;
    if (!done && !met(step.until, this.scene(this.then))) return false;
    this.holds = onlyLooks(step.until) ? store.documents.document === this.then.document
      : lasts(step.until, this.scene(this.then));
    if (done) return this.holds !== holds;
    this.done = true;
    if (this.step === lesson.steps.length - 1) remember(lesson.id);
    return true;
  }

  next(): void {
    if (this.step >= this.lesson.steps.length - 1) return;
    if (!this.done) this.choose(this.lesson.steps[this.step]!.until);
    this.step++;
    this.done = this.without = false;
    this.unknown = this.given = undefined;
    this.round++;
    this.then = undefined;
    const { begun } = this;
    if (this.lesson.steps[this.step]!.document) this.setUp();
    // What the steps before trained is compared with.
    this.begun = begun;
    this.look();
  }

  // Of a step that was skipped: the next ones are about the parts that it would have chosen.
  private choose(until: Condition): void {
    const chosen = ('all' in until ? until.all : [until]).flatMap((one) => ('path' in one && 'type' in one ? one : []));
    if (chosen.length > 0)
      this.store.documents.change((draft) => chosen.forEach(({ path, type }) => set(draft, path, { type })));
  }

  /** How this step asks for an answer, if it does. */
  get asks(): Answered | undefined {
    const until = this.lesson.steps[this.step]?.until;
    return until && answerIn(until);
  }

  /** The reader answers. */
  answer(given: string | number): void {
    if (this.done) return;
    this.given = given;
    this.look();
  }

  /** Of a step that is not done: whether the answer that was given is wrong, or right and something else is missing. */
  get verdict(): 'wrong' | 'more' | undefined {
    const { given, asks, then } = this;
    const { result } = this.store.sessions;
    if (given === undefined || !asks || this.done || !result || !then) return undefined;
    return isRight(asks, given, (one) => measure(one, result, then.result)) ? 'more' : 'wrong';
  }

  get finished(): boolean {
    return this.done && this.step === this.lesson.steps.length - 1;
  }

  /** Measured numbers, now: those of the lesson, or those that its sentences give. */
  readings(of: 'show' | 'said' = 'show'): number[] {
    const { result } = this.store.sessions;
    const then = this.then?.result ?? result;
    return result && then ? (this.lesson[of] ?? []).map((m) => measure(m, result, then)) : [];
  }

  /** What the condition of this step speaks of that the page does not have now. */
  lacks(): string[] {
    const { result } = this.store.sessions;
    const until = this.lesson.steps[this.step]?.until;
    return !result || !until ? [] : measuresIn(until).flatMap((one) => lackOf(one, result) ?? []);
  }

  /** A document came from outside, such as a model that was dropped: the lesson is not about it. */
  get superseded(): boolean {
    return this.store.documents.arrivals !== this.arrivals;
  }

  /** Undo went back to before the lesson, whose card would now speak of another document. */
  get undone(): boolean {
    return this.replaced && this.store.documents.document === this.before.document;
  }

  /** Ends it where `undone`: what was there before is there again. */
  end(): void {
    underWay.delete(this.store);
    this.store.restore(this.before.seen);
  }

  leave(): void {
    underWay.delete(this.store);
    // A place that is still asked to show the lesson would begin it anew.
    this.store.view.show({ lesson: undefined, place: this.before.seen.place ?? 'look' });
    this.store.documents.replace(this.before.document, this.before.compare ?? null, this.before.base);
    this.store.selection.hold(this.before.lock);
    this.store.restore(this.before.seen);
  }

  private scene(then: { document: Doc; result: Result }): Scene {
    const { store } = this;
    return {
      book: store.book, now: { document: store.documents.document, result: store.sessions.result! }, then,
      held: store.selection.lock?.tensor, cell: store.selection.lock?.index, view: store.view.view,
      head: [store.view.module, store.selection.chosen[HEAD] ?? 0],
      stage: store.view.stage, table: store.view.table, undone: store.documents.canRedo,
      trained: store.trainings.runs.value.filter(({ begun }) => begun >= this.begun),
        tried: store.trainings.tried.value, asked: store.trainings.asked.value, given: this.given,
        lengths: store.trainings.lengths.value,
    };
  }
}

export const isDone = (id: string): boolean => recall().has(id);
