// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { type Door, DOORS } from '../first/questions.ts';
import { coarse } from '../coarse-pointer.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { Entries } from '../gallery/entries.ts';
import { entriesLeft } from '../gallery/facts.ts';
import { words as galleryWords } from '../gallery/words.ts';
import { words as ofLanguage } from '../language/words.ts';
import { language } from '../strings/language.ts';
import { byChapter, isDone, availableLessons, wordsOf } from './course.ts';
import { answersTo, partsFound, type Place, PLACES } from './search.ts';
import type { Lesson } from './types.ts';
import { words } from './words.ts';

/** Every question that the page answers: those asked most, and the lessons by chapter, with a mark on what is done. */
export class LessonListElement extends Part {
  /** The lesson that a link asked for and that there is not. */
  @reactive unknown: unknown;
  @reactive search = '';
  private readonly entries = new Entries();

  static override styles = css`
    :host { display: block; padding: 0 var(--space-10) var(--space-10); }
    input { width: 100%; height: var(--control-large); margin-top: var(--space-6); }
    p[role='status']:not(.unseen) { margin-top: var(--space-5); }
    .hits { margin-top: var(--space-4); }
    h3 { margin: var(--space-8) 0 var(--space-2); color: var(--ink2); }
    li button { display: flex; justify-content: space-between; gap: var(--space-6); align-items: center; width: 100%;
      min-height: var(--control-large); padding: var(--space-2) var(--space-4); border-radius: var(--radius);
      font-size: var(--text-read); line-height: var(--leading-read); text-align: start; }
    li button:hover { background: var(--hover); }
    .mark { color: var(--ink2); font-size: var(--text-note); white-space: nowrap; }
    .mark.done { color: var(--value); font-weight: 600; }
  `;

  override firstUpdated(): void {
    // The gallery's entries, which are searched too, are the whole catalogue.
    void this.store.learn().then(() => this.requestUpdate());
    // On a phone the keyboard would cover what there is to choose from.
    if (!coarse.matches) this.renderRoot.querySelector('input')?.focus();
  }

  override render(): unknown {
    const all = availableLessons(this.store);
    const done = all.filter(({ id }) => isDone(id)).length;
    const say = strings.learn;
    return html`${typeof this.unknown === 'string' ? html`<p class="error" role="alert" data-part="unknown">${
        words().unknown(this.unknown)}</p>` : nothing}
      <p class="note">${say.about} ${say.done(done, all.length)}.</p>
      <input type="text" role="searchbox" aria-label=${say.find} placeholder=${say.find} .value=${this.search}
        @input=${(e: Event) => (this.search = (e.target as HTMLInputElement).value)} />
      ${this.search.trim() === '' ? this.everything(all) : this.found(all)}
      ${this.inGallery()}`;
  }

  private everything(all: readonly Lesson[]): unknown {
    const say = strings.learn;
    return html`<h3>${say.asked}</h3><ul>${DOORS.map((door) => this.door(door))}</ul>
      ${byChapter(all).map(([chapter, here]) => html`<h3>${say.chapters[chapter] ?? chapter}</h3><ul>${
        here.map((lesson) => this.lesson(lesson))}</ul>`)}`;
  }

  // The best first, whatever kind of answer it is.
  private found(all: readonly Lesson[]): unknown {
    const search = this.search.trim();
    const { book } = this.store;
    const { hits, kept } = answersTo(all, search, book);
    if (hits.length === 0) return html`<p role="status">${strings.learn.none(search)}</p>`;
    const lessons = hits.flatMap((hit) => ('lesson' in hit ? [hit.lesson] : []));
    const parts = kept === undefined && lessons.length === hits.length ? partsFound(lessons, search, book) : [];
    return html`<p class=${kept !== undefined || parts.length > 0 ? 'note' : 'unseen'} role="status" data-part=${
      kept !== undefined ? 'partly' : parts.length > 0 ? 'through' : nothing}>${
      kept !== undefined ? words().partly(kept) : parts.length > 0 ? words().through(search, parts)
        : words().questions(hits.length)}</p>
      <ul class="hits">${hits.map((hit) => ('lesson' in hit ? this.lesson(hit.lesson)
        : 'door' in hit ? this.door(hit.door) : this.place(hit.place)))}</ul>`;
  }

  private place(id: Place): unknown {
    const given = id === 'predict' ? ofLanguage().title : id === 'code' ? 'code' : undefined;
    return html`<li><button data-place=${id} @click=${() => this.tell('go', [PLACES[id], given])}><span>${
      words().places[id]}</span></button></li>`;
  }

  // The gallery knows names that no lesson is about.
  private inGallery(): unknown {
    const search = this.search.trim();
    const count = search === '' ? 0 : entriesLeft(this.entries.of(this.store, this), search, {}).length;
    return count === 0 ? nothing : html`<p><button class="go" data-part="gallery"
      @click=${() => this.tell('go', ['presets', search])}>${galleryWords().fromQuestions(search, count)}</button></p>`;
  }

  private door(door: Door): unknown {
    return html`<li><button data-door=${door.id} @click=${() => this.go(door)}><span>${strings.doors[door.id]}</span>
      <span class="mark">${strings.behind[door.id]}</span></button></li>`;
  }

  private lesson(lesson: Lesson): unknown {
    const done = isDone(lesson.id);
    return html`<li><button data-lesson=${lesson.id} @click=${() => this.begin(lesson.id)}>
      <span>${wordsOf(lesson, language()).title}</span>
      <span class="mark ${done ? 'done' : ''}">${done ? `✓ ${strings.learn.doneMark}` : ''}</span></button></li>`;
  }

  private go({ lesson, dialog, place }: Door): void {
    if (dialog) return this.tell('go', [dialog]);
    if (lesson !== undefined) return this.begin(lesson);
    this.tell('shut');
    this.tell('place', place);
  }

  private begin(id: string): void {
    this.tell('shut');
    this.store.view.teach(id);
  }

  private tell(what: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(what, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('ap-lesson-list', LessonListElement);
