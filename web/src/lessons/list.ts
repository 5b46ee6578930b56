// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html } from 'lit';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { base, fields } from '../styles/tokens.ts';
import { byChapter, isDone, shown, wordsOf } from './course.ts';

/** Every lesson by chapter, with a mark where it is done. */
export class LessonListElement extends Part {
  static override styles = [
    base,
    fields,
    css`
      :host { display: block; padding: 0 var(--space-10) var(--space-10); }
      h3 { margin: var(--space-8) 0 var(--space-2); color: var(--ink2); }
      li button { display: flex; justify-content: space-between; gap: var(--space-6); align-items: center; width: 100%;
        min-height: var(--control-large); padding: var(--space-2) var(--space-4); border-radius: var(--radius);
        font-size: var(--text-read); line-height: var(--leading-read); }
      li button:hover { background: var(--hover); }
      .mark { color: var(--ink2); font-size: var(--text-note); white-space: nowrap; }
      .mark.done { color: var(--value); font-weight: 600; }
    `,
  ];

  override render(): unknown {
    const all = shown(this.store);
    const done = all.filter(({ id }) => isDone(id)).length;
    return html`<p class="note">${strings.learn.about} ${strings.learn.done(done, all.length)}.</p>
      ${byChapter(all).map(([chapter, here]) => html`<h3>${strings.learn.chapters[chapter] ?? chapter}</h3><ul>${
        here.map((lesson) => html`<li><button data-lesson=${lesson.id} @click=${() => this.begin(lesson.id)}>
          <span>${wordsOf(lesson, language()).title}</span>
          <span class="mark ${isDone(lesson.id) ? 'done' : ''}">${
            isDone(lesson.id) ? `✓ ${strings.learn.doneMark}` : ''}</span></button></li>`)}</ul>`)}`;
  }

  private begin(id: string): void {
    this.dispatchEvent(new Event('shut', { bubbles: true, composed: true }));
    this.store.view.show({ lesson: id });
  }
}
customElements.define('ap-lesson-list', LessonListElement);
