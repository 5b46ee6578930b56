// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing, type PropertyValues } from 'lit';
import type { Json } from '../engine/types.ts';
import { Part, reactive } from '../part.ts';
import { direction } from '../strings/language.ts';
import { withQuotes } from '../strings/quote.ts';
import { icons } from '../styles/icons.ts';
import type { Course } from './course.ts';
import { type Lecture, MOST, readLecture } from '../state/lecture.ts';
import { systemTitle } from '../state/system-title.ts';
import './list.ts';
import { Looking } from './looking.ts';
import { moments } from './memory.ts';
import './picture.ts';
import { lectureStyles } from './styles.ts';
import { words } from './words.ts';
import { SHOWN } from '../page/incoming-link.ts';
import { seenOf } from '../state/link-view.ts';
import { listening } from '../listening.ts';
import { keepText } from '../engine/stored.ts';
import type { Store } from '../state/store.ts';

// A lecture that came with a file or a link is kept for this tab as long as it is shown, so that a reload comes back to
// it.
/** Keeps the lecture, with the moment, the map and the head that are shown; without one, nothing is kept. */
function keepShown(store: Store, lecture: Lecture | undefined): void {
  const { documents: { document }, comparison: { held } } = store;
  const seen = seenOf(store);
  // Without storage, or with a lecture that has no room there, a reload shows the document.
  keepText(SHOWN, lecture && JSON.stringify({ ...document, ...(held ? { compare: held } : {}),
    ...(seen ? { seen } : {}), lecture }), 'sessionStorage');
}

type Over = 'help' | 'names';

/** The keys of a lecture, as they are listed; a presenter's clicker sends Page Down, Page Up and a point. */
const KEYS = [['← →, PgUp PgDn', 'go'], ['1 … 9', 'jump'], ['Home End', 'ends'], ['↑ ↓', 'heads'], ['M', 'module'],
  ['N', 'numbers'], ['B', 'blank'], ['A', 'add'], ['E', 'names'], ['F', 'full'], ['?', 'help'], ['Esc', 'leave'],
  ['Shift P', 'page']] as const;

/** One picture as large as the window, and named moments to jump to. Sends `shut` when the reader leaves. */
export class LectureElement extends Part {
  /** A lecture that came with a link or a file. */
  @reactive given: unknown;
  @reactive course: Course | undefined;
  @reactive numbers = true;
  @reactive blank = false;
  @reactive over: Over | undefined;
  /** What the last key came to, where the picture does not show it. */
  @reactive notice = '';
  /** The window is full by our doing: when the browser's Escape ends that, the lecture ends, too. */
  private filled = false;
  /** What of a lecture that came is kept for a reload. */
  private kept: string | undefined;
  /** The document that the lecture began with: another one begins another lecture. */
  private starts: number | undefined;

  static override styles = lectureStyles;

  constructor() {
    super();
    listening(this, document, 'fullscreenchange', this.emptied);
    this.addEventListener('keydown', this.key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.course?.close();
    keepShown(this.store, undefined);
    if (this.filled && document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
  }

  override willUpdate(changed: PropertyValues): void {
    const { starts } = this.store.documents;
    const came = changed.has('given') && this.given !== undefined;
    if (!came && this.starts === starts) return;
    this.starts = starts;
    void this.begin(came ? readLecture(this.given as Json) : undefined);
  }

  // The part in which one trains is there already where one trains.
  private async begin(brought: Lecture | undefined): Promise<void> {
    const { store, starts } = this;
    void store.learn();
    this.course?.close();
    if (brought || store.view.place !== 'train') return void (this.course = new Looking(store, brought,
        (title) => systemTitle(store.book, title, this)));
    const { Learning } = await import('./learning.ts');
    if (this.isConnected && this.starts === starts) this.course = new Learning(store);
  }

  override firstUpdated(): void {
    void this.fill();
  }

  private focusPicture(): void {
    this.renderRoot.querySelector<HTMLElement>('.picture')?.focus();
  }

  // Where the browser does not allow it, the picture fills the page.
  private async fill(): Promise<void> {
    try {
      await this.requestFullscreen();
      this.filled = true;
    } catch {
      this.filled = false;
    }
  }

  private readonly emptied = (): void => {
    if (document.fullscreenElement || !this.filled) return;
    this.filled = false;
    this.leave();
  };

  private leave(): void {
    this.dispatchEvent(new CustomEvent('shut', { bubbles: true, composed: true }));
  }

  override render(): unknown {
    const { course } = this;
    if (!course) return nothing;
    const { scene, moments, at, common } = course;
    return html`<div class="top"><h2><bdi>${course.name}</bdi>${at === undefined || moments.length === 1 ? nothing
        : html` <small><bdi>${at + 1} / ${moments.length}</bdi></small>`}</h2>
        <p class="what">${scene ? html`<b class=${scene.role}>${scene.title}</b>${scene.notes.map((note) =>
          html` · <bdi>${note}</bdi>`)}` : nothing}${
        moments.length === 1 && !moments[0]!.own ? html`${scene ? ' · ' : ''}<span
          data-part="alone">${words().alone}</span>` : nothing}</p>
      </div>
      <div class="picture" tabindex="-1" role="group" aria-label=${words().title} data-part="picture">${scene
        ? html`<ap-lecture-picture .scene=${scene} .common=${common} ?numbers=${this.numbers}></ap-lecture-picture>`
        : html`<p role="status">${withQuotes(course.problem ?? '')}</p>`}</div>
      <div class="foot">${this.strip(course)}${this.tools(course)}</div>
      ${this.over === 'help' ? this.help() : this.over === 'names' ? this.names(course) : nothing}
      ${this.blank ? html`<button class="blank" data-part="blank" aria-label=${words().unblank}
        @click=${() => (this.blank = false)}></button>` : nothing}
      <p class=${this.notice ? 'said' : 'unseen'} role="status" aria-live="polite" data-part="live">${
        this.notice || (at === undefined ? course.name : words().spoken(at + 1, moments.length, course.name))}</p>`;
  }

  private strip({ moments, at }: Course): unknown {
    return html`<ol aria-label=${words().moments}>${moments.map(({ name, where }, k) => html`<li><button
      data-moment=${k} aria-current=${k === at ? 'true' : nothing} @click=${() => this.act(() => this.course?.go(k))}>${
        k < 9 ? html`<i aria-hidden="true">${k + 1}</i>` : nothing}<span>${name}</span>${where === undefined ? nothing
        : html`<i>${where}</i>`}</button></li>`)}</ol>`;
  }

  private tools(course: Course): unknown {
    const back = direction() === 'rtl';
    const icon = (part: string, name: string, drawn: unknown, act: () => void, pressed?: boolean, extra = '') =>
      html`<button class="icon ${extra}" data-part=${part} aria-label=${name} title=${name}
      aria-pressed=${pressed ?? nothing} @click=${() => this.act(act)}>${drawn}</button>`;
    const letter = (key: string, does: string) => html`<kbd aria-hidden="true">${key}</kbd><small
      aria-hidden="true" data-does=${does}></small>`;
    const short = words().short;
    return html`<div class="tools">
      ${icon('previous', words().previous, back ? icons.forward : icons.back, () => course.step(-1))}
      ${icon('next', words().next, back ? icons.back : icons.forward, () => course.step(1))}
      ${course.heads > 1 ? icon('head', words().head, icons.down, () => course.turnHead(1)) : nothing}
      ${course.modules > 1 ? icon('module', words().module, letter('M', short.module), () => course.turnModule())
        : nothing}
      ${icon('numbers', words().numbers, letter('N', short.numbers), () => (this.numbers = !this.numbers),
        this.numbers)}
      ${icon('blank-on', words().blank, letter('B', short.blank), () => (this.blank = true), undefined, 'desk')}
      ${icon('add', words().add, letter('A', short.add), () => this.add())}
      ${icon('names', words().names, letter('E', short.names), () => this.show('names'), this.over === 'names')}
      ${icon('help', words().help, letter('?', short.help), () => this.show('help'), this.over === 'help', 'desk')}
      ${icon('leave', words().leave, icons.close, () => this.leave())}</div>`;
  }

  private help(): unknown {
    return html`<section class="over" data-part="keys" aria-label=${words().help}><h3>${words().help}</h3><dl>${
      KEYS.map(([keys, does]) => html`<dt><kbd>${keys}</kbd></dt><dd>${words().keys[does]}</dd>`)}</dl></section>`;
  }

  private names(course: Course): unknown {
    return html`<section class="over" data-part="names-list" aria-label=${words().names}><h3>${words().names}</h3>
      <ap-lecture-list .course=${course} @shut=${(e: Event) => {
        e.stopPropagation();
        this.show('names');
      }}></ap-lecture-list></section>`;
  }

  private show(what: Over): void {
    this.over = this.over === what ? undefined : what;
    if (this.over === undefined) this.focusPicture();
  }

  private add(): void {
    const { course } = this;
    if (!course) return;
    const name = course.add();
    this.notice = name !== undefined ? words().kept(name)
      : course.brought ? words().noRoom(moments().length, 1, MOST) : words().full(MOST);
  }

  private act(what: () => void): void {
    this.notice = '';
    what();
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const types = event.composedPath().some((at) => at instanceof HTMLInputElement);
    if (event.key === 'Escape') {
      // What lies over the picture goes first.
      if (!this.over && !this.blank) return;
      [this.over, this.blank] = [undefined, false];
      this.focusPicture();
      return event.preventDefault();
    }
    const act = types ? undefined : this.actOf(event);
    if (!act) return;
    event.preventDefault();
    this.act(act);
  };

  private actOf({ key }: KeyboardEvent): (() => void) | undefined {
    const { course } = this;
    if (!course) return undefined;
    const along = direction() === 'rtl' ? -1 : 1;
    const go = (by: number) => () => {
      this.blank = false;
      course.step(by);
    };
    const jump = (at: number) => () => {
      this.blank = false;
      course.go(at);
    };
    if (/^[1-9]$/.test(key)) return Number(key) <= course.moments.length ? jump(Number(key) - 1) : undefined;
    const acts: Record<string, () => void> = {
      ArrowRight: go(along), ArrowLeft: go(-along), PageDown: go(1), PageUp: go(-1), Home: jump(0),
      End: jump(course.moments.length - 1), ArrowUp: () => course.turnHead(-1), ArrowDown: () => course.turnHead(1),
      m: () => course.turnModule(), n: () => (this.numbers = !this.numbers), b: () => (this.blank = !this.blank),
      '.': () => (this.blank = !this.blank), a: () => this.add(), e: () => this.show('names'),
      f: () => this.toggle(), '?': () => this.show('help'),
    };
    return acts[key.length === 1 ? key.toLowerCase() : key];
  }

  // Moments are never changed, so it is enough to look at what is shown of them.
  private remember(): void {
    const shown = this.course?.shown;
    const key = shown && `${shown.at} ${shown.map} ${shown.head}`;
    if (key === this.kept) return;
    this.kept = key;
    keepShown(this.store, shown);
  }

  private toggle(): void {
    if (!this.filled) return void this.fill();
    this.filled = false;
    void document.exitFullscreen().catch(() => undefined);
  }

  // The chosen moment of many stays in sight.
  override updated(changed: PropertyValues): void {
    this.remember();
    this.renderRoot.querySelector('li [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (this.blank) this.renderRoot.querySelector<HTMLElement>('.blank')?.focus();
    else if (changed.has('course') || changed.has('blank')) this.focusPicture();
  }
}
customElements.define('ap-lecture', LectureElement);
