// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { effect, untracked } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { full, upTo } from '../colour/numbers.ts';
import { Part, property, reactive } from '../part.ts';
import type { LessonAt } from '../page/incoming-link.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import type { Store } from '../state/store.ts';
import { whole } from '../strings/numerals.ts';
import { icons } from '../styles/icons.ts';
import { uncover } from '../avoid-covering.ts';
import './answer-element.ts';
import { bring, unpacked } from './brought.ts';
import { addressOf, Course, lessonOf, nextOf, wordsOf } from './course.ts';
import { OWN } from './read.ts';
import { sourcesShown } from './sources.ts';
import type { Lesson } from './types.ts';
import { words as own } from './words.ts';
import type { Size } from '../shell/summary.ts';

/** The page as a lesson leads through it. */
interface Taught extends Element {
  size: Size;
  open: boolean;
  tab: 'mechanism' | 'inputs';
}

/** Shows where a step is done: the menu has what a narrow page has no room for; the rest is scrolled to. */
function lead(lesson: Element, at: string): void {
  const root = lesson.getRootNode() as ShadowRoot;
  const page = root.host as Taught;
  const { size } = page;
  if (at === 'controls' ? size !== 'wide' && size !== 'medium' : at === 'inputs' && size === 'narrow') {
    [page.open, page.tab] = [true, at === 'inputs' ? 'inputs' : 'mechanism'];
    return;
  }
  const column = root.querySelector('.middle > .scroll');
  const part = root.querySelector(`ap-${at}`);
  if (column && part && column.contains(part))
    column.scrollTop += part.getBoundingClientRect().top - column.getBoundingClientRect().top;
}

// What is counted has no decimals.
const reading = (value: number): string =>
  (Number.isNaN(value) ? '–' : Number.isInteger(value) ? String(value) : Math.abs(value) < 1e-6 ? '0' : full(value));

// A sentence gives its numbers as they are now, in as few digits as a map does.
const PLACES = 2;
const withNumbers = (sentence: string, numbers: readonly number[]): string =>
  sentence.replace(/\{(\d+)\}/g, (gap, k: string) => {
    const value = numbers[Number(k)];
    return value === undefined ? gap : Number.isInteger(value) ? whole(value) : upTo(value, PLACES);
  });

/**
 * The lesson under way, above what it is about: what to know, what to do, what is measured. When the task is scrolled
 * out of sight, a strip on top shows it and whether it is done.
 */
export class LessonElement extends Part {
  /** The id of the lesson. */
  @property() lesson!: string;
  /** The page is small: a button leads to the part that a step is about. */
  @property({ type: Boolean }) small!: boolean;
  /** The task has been scrolled out of sight. */
  @reactive away!: boolean;
  /** What became of copying the address of the step. */
  private readonly clipboard = new Clipboard(this);
  private readonly sight = new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect, rootBounds } = entries.at(-1)!;
    this.away = !isIntersecting && boundingClientRect.top < (rootBounds?.bottom ?? innerHeight) / 2;
  });
  private course: Course | undefined;
  private ignore: (() => void) | undefined;

  static override styles = css`
    :host { display: contents; }
    section { margin: var(--space-6) var(--lesson-edge, var(--space-12)) var(--lesson-below, var(--space-2));
      padding: var(--space-5) var(--space-4) var(--space-6); padding-inline-start: var(--space-8);
      border: 1px solid var(--line2); border-inline-start: 3px solid var(--ink); border-radius: var(--radius);
      background: var(--raised); }
    header { display: flex; align-items: center; gap: var(--space-4); }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); flex: 1; min-width: 0; }
    p { font-size: var(--text-read); line-height: var(--leading-read); max-width: 76ch; }
    .error, .note[data-part] { margin-block: var(--space-1) var(--space-3); font-size: var(--text-note); }
    .do { margin-top: var(--space-3); font-weight: 600; display: flex; gap: var(--space-4); }
    .do i { flex: none; width: 16px; height: 16px; margin-top: var(--space-1); border: 1.5px solid var(--ink2);
      border-radius: 50%; display: grid; place-items: center; font: 600 var(--text-mark)/1 system-ui;
      color: var(--background); }
    .do.well i { background: var(--value); border-color: var(--value); }
    .seen { margin-top: var(--space-2); }
    dl { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-10); margin-top: var(--space-3); }
    dl div { display: flex; gap: var(--space-3); }
    dt { color: var(--ink2); }
    dd { font-weight: 600; }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-2); margin-top: var(--space-4); align-items: center; }
    .address { width: 100%; max-width: 76ch; margin-top: var(--space-3); }
    .go { border: 1px solid var(--ink); font-weight: 600; }
    .strip { position: sticky; top: 0; height: 0; z-index: 10; }
    .strip > div { display: flex; align-items: center; gap: var(--space-4); padding: 0 var(--space-6);
      border-bottom: 1px solid var(--line2); border-inline-start: 3px solid var(--ink); background: var(--raised);
      box-shadow: 0 4px 20px rgb(0 0 0 / 12%); }
    .strip .do { flex: 1; min-width: 0; margin: 0; padding: var(--space-3) 0; font-weight: 400; text-align: start;
      min-height: var(--control-large); }
    .strip span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
    .strip .text { flex: none; }
    @media (pointer: coarse) { section { margin-inline: var(--lesson-edge, var(--space-6)); } }
  `;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ignore?.();
    this.sight.disconnect();
    this.point(undefined);
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // A course of another lesson is followed when this element is given that lesson.
    if (!changed.has('lesson') && this.course?.replacedBy?.lesson.id !== this.lesson) return;
    const lesson = lessonOf(this.store, this.lesson);
    this.clipboard.forget();
    this.ignore?.();
    this.course = untracked(() => lesson && Course.at(this.store, lesson));
    const { course } = this;
    this.ignore = course && effect(() => {
      course.watchAll();
      if (course.replacedBy) return untracked(() => this.requestUpdate());
      if (course.superseded) return untracked(() => Course.forget(this.store));
      if (course.undone) return untracked(() => this.end());
      if (untracked(() => course.look())) this.requestUpdate();
    });
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    const { course } = this;
    // It stands above the picture, and who asked may have scrolled on.
    const section = this.renderRoot.querySelector('section');
    if (section && changed.has('lesson')) {
      uncover(section);
      // Whoever chose it goes on here, and not at the button that opened the list; a link that is opened moves nothing.
      if (navigator.userActivation?.hasBeenActive) section.querySelector('h2')?.focus({ preventScroll: true });
    }
    // The button that was pressed goes when the answer is right, and would take the focus with it.
    if (course?.done && section?.querySelector('ap-answer')?.shadowRoot?.activeElement)
      section.querySelector<HTMLElement>('.seen')?.focus({ preventScroll: true });
    const task = section?.querySelector('.do');
    if (task) this.sight.observe(task);
    this.point(course && !course.done ? course.lesson.steps[course.step]?.at : undefined);
    // A step that begins on a page at rest has nothing to wait for.
    if (untracked(() => course?.look())) this.requestUpdate();
  }

  // The shell outlines the part of the page that is meant.
  private point(at: string | undefined): void {
    this.dispatchEvent(new CustomEvent('point', { detail: at, bubbles: true, composed: true }));
  }

  override render(): unknown {
    const { course } = this;
    if (!course) return nothing;
    const words = strings.learn;
    const { title, steps, show } = wordsOf(course.lesson, language());
    const step = steps[course.step]!;
    const of = course.lesson.steps.length;
    const readings = course.readings();
    const answered = course.asks && step.done === '' ? own().right : step.done;
    const seen = course.done && !course.holds ? own().changed : withNumbers(answered, course.readings('said'));
    // An author writes in a language that need not be the page's.
    const dir = course.lesson.chapter === OWN ? 'auto' : nothing;
    // A lesson of the page is tested; of another one its author has to hear what it speaks of in vain.
    const lacks = course.lesson.chapter === OWN && !course.done ? course.lacks() : [];
    return html`<section><header><h2 tabindex="-1" dir=${dir}>${title}</h2>${
      of > 1 ? html`<span class="note">${words.step(course.step + 1, of)}</span>` : nothing}
        <button class="icon" aria-label=${words.leave} title=${words.leave}
          @click=${() => this.leave()}>${icons.close}</button></header>
      ${course.unknown === undefined ? nothing : html`<p class="error" role="alert" data-part="unknown">${
        own().unknownStep(course.unknown, of)}</p>`}
      ${course.without ? html`<p class="note" data-part="without">${own().without}
        <button class="link inline" data-part="from-start"
          @click=${() => this.afresh()}>${own().fromStart}</button></p>` : nothing}
      ${step.say === '' ? nothing : html`<p dir=${dir}>${step.say}</p>`}
      ${sourcesShown(this.store.book, course.lesson.steps[course.step]?.sources)}
      ${lacks.length === 0 ? nothing : html`<p class="note" role="status" data-part="lacks">${own().lacks(lacks)}</p>`}
      <p class="do ${course.done ? 'well' : ''}">${this.mark(course)}<span><span
        class="unseen">${course.done ? words.well : words.todo}: </span><span dir=${dir}>${step.do}</span></span></p>
      ${course.asks ? html`<ap-answer .course=${course} .choices=${step.choices ?? []} .hint=${step.hint ?? ''}
        .round=${course.round} .done=${course.done} @answered=${() => this.requestUpdate()}></ap-answer>` : nothing}
      <div role="status">${course.done ? html`<p class="seen" tabindex="-1" dir=${dir} ?data-changed=${
        !course.holds}>${seen}</p>`
        : course.skipped ? html`<p
          class="seen">${course.lesson.id === 'tour' ? seen : words.skipped}</p>` : nothing}</div>
      ${readings.length ? html`<dl>${
        readings.map((value, k) => html`<div><dt dir=${dir}>${show?.[k] ?? ''}</dt><dd
        data-reading=${k}>${reading(value)}</dd></div>`)}</dl>` : nothing}
      <div class="row">${this.way(course)}${this.onward(course)}
        <button class="text" @click=${() => this.afresh()}>${icons.reset}${words.back}</button>
        <button class="text" data-part="copy-link" @click=${() => void this.clipboard.copy(this.address, '.address')}>${
          this.clipboard.copied ? strings.sharing.copied : own().copyLink}</button></div>
        <div role="status">${this.clipboard.copied ? html`<span class="unseen">${strings.sharing.copied}</span>`
          : this.clipboard.refused ? html`<input class="address" type="text" dir="ltr" readonly
            aria-label=${own().address} .value=${this.address} @focus=${(e: Event) =>
            (e.target as HTMLInputElement).select()} />` : nothing}</div></section>${
          this.away ? this.strip(course, course.done ? seen : step.do) : nothing}`;
  }

  // The address of this step, on the page that shows it or that an embed leads to.
  private get address(): string {
    const page = new URL(location.href);
    page.hash = addressOf(this.store, this.lesson, this.course?.step);
    return page.href;
  }

  private mark({ done }: Course): unknown {
    return html`<i aria-hidden="true">${done ? '✓' : ''}</i>`;
  }

  // The task in short, or that it is done, with the button that leads on.
  private strip(course: Course, text: string): unknown {
    return html`<div class="strip"><div><button class="do ${course.done ? 'well' : ''}" title=${strings.learn.toTask}
      @click=${() => this.comeBack()}>${this.mark(course)}<span dir=${
        course.lesson.chapter === OWN ? 'auto' : nothing}>${text}</span></button>${
        course.done ? this.onward(course) : this.way(course)}</div></div>`;
  }

  private comeBack(): void {
    const section = this.renderRoot.querySelector('section');
    if (section) uncover(section);
  }

  // Where the step is done, if that is not in sight beside it.
  private way(course: Course): unknown {
    const at = course.lesson.steps[course.step]?.at;
    if (!this.small || course.done || at === undefined) return nothing;
    return html`<button class="text" data-where @click=${() => lead(this, at)}>${strings.learn.where}</button>`;
  }

  private onward(course: Course): unknown {
    const words = strings.learn;
    if (!course.finished && !course.skipped) {
      return html`<button class="text ${course.done ? 'go' : ''}" data-next
        @click=${() => this.next()}>${course.done ? words.next : words.skip}</button>`;
    }
    const next = nextOf(this.store, this.lesson);
    const leave = html`<button class="text ${next ? '' : 'go'}" data-leave
      @click=${() => this.leave()}>${words.leave}</button>`;
    return html`${next ? html`<button class="text go" data-next
      @click=${() => this.ask(next.id)}>${words.nextLesson}: ${wordsOf(next, language()).title}</button>`
      : course.lesson.chapter === OWN ? nothing : html`<span class="note">${words.finished}</span>`}${
        next && course.done ? nothing : leave}`;
  }

  private next(): void {
    const { course } = this;
    if (!course) return;
    this.comeBack();
    if (course.step < course.lesson.steps.length - 1) course.next();
    else if (!course.done && !course.skipped) course.skipped = true;
    else {
      const next = nextOf(this.store, this.lesson);
      if (next) this.ask(next.id);
      else this.leave();
    }
    this.requestUpdate();
  }

  private afresh(): void {
    this.course?.afresh();
    this.requestUpdate();
  }

  private ask(id: string | undefined): void {
    this.store.view.show({ lesson: id });
  }

  private end(): void {
    this.course?.end();
    this.ask(undefined);
  }

  private leave(): void {
    this.course?.leave();
    this.ask(undefined);
  }
}
customElements.define('ap-lesson', LessonElement);

/** A place of the page that shows no lesson makes room for the one that the reader asked for there. */
export function comeTo(store: Store): void {
  const { lesson: id, place } = store.view;
  const lesson = place === 'compare' && id !== undefined ? lessonOf(store, id) : undefined;
  if (!lesson) return;
  Course.at(store, lesson);
  store.view.show({ place: lesson.place ?? 'look' });
}

/** Opens the lesson that an address asks for, at its step; of an unknown one it is said, and all others are listed. */
export async function openAt(page: { store: Store; dialog(what: 'learn', given: string): unknown },
  { lesson: id, step, packed }: LessonAt): Promise<void> {
  const { store } = page;
  await store.learn();
  let lesson: Lesson | undefined;
  try {
    lesson = packed === undefined ? lessonOf(store, id) : bring(store, unpacked(packed));
  } catch (problem) {
    return store.view.show({ notice: [{ key: 'lessonRefused', values: [(problem as Error).message] }] });
  }
  if (!lesson) return void page.dialog('learn', id);
  Course.open(store, lesson, step);
  store.view.show({ lesson: lesson.id });
}
