// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { Part, reactive } from '../part.ts';
import { icons } from '../styles/icons.ts';
import type { Course } from './course.ts';
import './carry-part.ts';
import { LONGEST_NAME, MOST } from '../state/lecture.ts';
import { isStored, moments as kept, removeAll } from './memory.ts';
import { words } from './words.ts';

/** The moments of a lecture, to be named and removed. Sends `shut` when the reader is done. */
export class LectureListElement extends Part {
  @reactive course!: Course;
  /** There is no room to keep what came. */
  @reactive full!: boolean;

  static override styles = css`
    :host { display: grid; gap: var(--space-5); width: min(460px, 76vw); }
    ol { display: grid; gap: var(--space-3); }
    li { display: grid; grid-template-columns: 1.6em minmax(0, 1fr) minmax(0, max-content) var(--control);
      gap: var(--space-4); align-items: center; }
    input { width: 100%; font-size: var(--text-title); }
    i { font-style: normal; color: var(--ink2); }
    .end { display: flex; gap: var(--space-4); justify-content: space-between; }
  `;

  override render(): unknown {
    const { course } = this;
    const { moments, proposed, brought } = course;
    const own = moments.some((one) => one.own);
    return html`<ol>${moments.map(({ name, where, own: mine, fixed }, k) => html`<li><i>${k + 1}</i>
        <input type="text" dir="auto" maxlength=${LONGEST_NAME} .value=${name} ?readonly=${fixed}
          aria-label=${words().nameOf(k + 1)} @keydown=${this.key}
          @change=${(e: Event) => this.rename(k, e.target as HTMLInputElement)} />
        <i>${where ?? nothing}</i>${mine ? html`<button class="icon" aria-label=${words().remove(name)}
          title=${words().remove(name)} @click=${() => course.remove(k)}>${icons.close}</button>` : html`<span></span>`}
      </li>`)}</ol>
      <p class="note">${proposed && moments.length > 1 ? words().suggested : nothing}
        ${own ? words().stays(isStored()) : nothing}</p>
      <div class="end">${brought ? nothing : html`<button class="button first" data-part="keep"
        @click=${() => course.add()}>${words().add}</button>`}${own && course.removesAll
        ? html`<button class="button" data-part="remove-all" @click=${() => removeAll()}>${words().removeAll}</button>`
        : nothing}</div>
      ${brought ? html`<p class="note" data-part="brought">${words().brought}</p><div class="end"><button
        class="button" data-part="keep-brought" @click=${() => (this.full = !brought.keep())}>${
          words().keepBrought}</button>
        <button class="button" data-part="put-away" @click=${() => brought.putAway()}>${words().putAway}</button></div>
        ${this.full ? html`<p class="error" role="alert">${words().noRoom(kept().length, moments.length, MOST)}</p>`
          : nothing}` : nothing}
      ${keyed(this.named(), html`<ap-lecture-carry .course=${course}></ap-lecture-carry>`)}`;
  }

  // What the reader can change in the list. The moments that a training makes by itself are not part of it, since a
  // training that plays makes new ones all the time.
  private named(): string {
    const { moments, brought } = this.course;
    const own = moments.filter((one) => one.own).map(({ name, where }) => [name, where]);
    return JSON.stringify([brought !== undefined, own]);
  }

  private rename(at: number, input: HTMLInputElement): void {
    const name = input.value.trim();
    if (name === '') input.value = this.course.moments[at]?.name ?? '';
    else this.course.rename(at, name);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.isComposing) this.dispatchEvent(new CustomEvent('shut'));
  };
}
customElements.define('ap-lecture-list', LectureListElement);
