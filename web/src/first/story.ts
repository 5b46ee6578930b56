// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { DialogName } from '../dialog/list.ts';
import { titleOf } from '../gallery/presets.ts';
import { Later } from '../later.ts';
import { Part } from '../part.ts';
import { language } from '../strings/language.ts';
import { strings } from '../strings/en.ts';
import { base, fields } from '../styles/tokens.ts';
import { isTrained } from '../state/writer.ts';
import { divided, filled, kin, type Note, strongest, weight } from './notice.ts';

const notes = new Later(() => import('./notes.ts'));
const systems = new Later(() => import('../gallery/told.ts'));

/** The questions that most people come with, and the lesson or the dialog that answers each. */
const DOORS: { id: keyof typeof strings.doors; lesson?: string; dialog?: DialogName }[] = [
  { id: 'root', lesson: 'divide-by-root-d' },
  { id: 'mask', lesson: 'causal' },
  { id: 'softOrHard', lesson: 'hard-and-soft' },
  { id: 'heads', lesson: 'heads' },
  { id: 'order', lesson: 'shuffle-self' },
  { id: 'embed', dialog: 'embed' },
];

/** Above the picture: whom the page is for and where to start, what stands here, and what to notice in it. */
export class StoryElement extends Part {
  static override styles = [
    base,
    fields,
    css`
      :host { display: block; box-sizing: border-box; padding: 12px 24px 0; }
      :host([narrow]) { padding: 12px 14px 0; }
      p { margin: 0; line-height: 20px; max-width: 110ch; }
      h2 { font-size: 15px; line-height: 22px; margin: 0; }
      .who { color: var(--ink2); font-size: 13px; margin-block-end: 8px; }
      .see { font-size: 14px; }
      nav { display: flex; flex-wrap: wrap; gap: 6px; margin-block: 8px 2px; }
      nav button { min-height: 28px; padding: 3px 10px; border: 1px solid var(--line2); border-radius: 14px;
        background: var(--raised); font-size: 13px; line-height: 18px; text-align: start; }
      nav button:hover { background: var(--hover); }
      @media (pointer: coarse) { nav button { min-height: 44px; border-radius: 22px; } .link { min-height: 44px; } }
    `,
  ];

  // While something is dragged, what stands below stays where it is.
  override willUpdate(): void {
    const { style } = this;
    if (!this.store.documents.held) style.minHeight = '';
    else if (style.minHeight === '') style.minHeight = `${this.offsetHeight}px`;
  }

  override render(): unknown {
    const { store } = this;
    const first = JSON.stringify(store.documents.base) === JSON.stringify(store.example);
    const note = this.note(first);
    const see = this.see(note);
    return html`${first ? html`<p class="who">${strings.story.who} <button class="link" data-door="tour"
      @click=${() => this.learn('tour')}>${strings.story.tour}</button></p>` : nothing}
      ${note ? html`<h2>${note.is}</h2>` : first ? nothing : this.system()}
      ${see === undefined ? nothing : html`<p class="see" data-part="see">${see}</p>`}
      ${first ? html`<nav aria-label=${strings.story.questions}>${
        DOORS.map((door) => html`<button data-door=${door.id}
        @click=${() => this.go(door)}>${strings.doors[door.id]}</button>`)}
        <button data-door="all" @click=${() => this.open('learn')}>${strings.story.all}</button></nav>` : nothing}`;
  }

  // What is said of the preset that this document still is, whatever numbers were moved.
  private note(first: boolean): Note | undefined {
    const { base: from, document } = this.store.documents;
    if (first && !kin(from, document)) {
      const model = kin({ ...from, inputs: {} }, { ...document, inputs: {} });
      return model ? { is: strings.first.any, see: '' } : undefined;
    }
    if (!kin(from, document)) return undefined;
    if (first) return strings.first;
    return notes.use(this)?.noteOf(titleOf(from) ?? '', language());
  }

  // What is told of the system that this document still is.
  private system(): unknown {
    const { base: from, document } = this.store.documents;
    return kin(from, document) ? (systems.use(this)?.toldOf(this.store, titleOf(from)) ?? nothing) : nothing;
  }

  private see(note: Note | undefined): string | undefined {
    const { result } = this.store.sessions;
    if (!result) return undefined;
    const said = note?.see ? filled(note.see, result) : undefined;
    if (said !== undefined) return said;
    const rows = isTrained(this.store.documents.document) ? divided(result) : [];
    const told = rows.map(({ query, keys: [one, other], values: [most, next] }) =>
      strings.story.divided(query, one, weight(most), other, weight(next)));
    if (told.length > 0) return told.join(' ');
    const most = strongest(result);
    return most && strings.story.strongest(most.query, most.key, weight(most.value));
  }

  private go({ lesson, dialog }: (typeof DOORS)[number]): void {
    if (lesson !== undefined) this.learn(lesson);
    else if (dialog) this.open(dialog);
  }

  private learn(lesson: string): void {
    this.store.view.show({ lesson });
  }

  private open(dialog: DialogName): void {
    this.dispatchEvent(new CustomEvent('dialog', { detail: dialog, bubbles: true, composed: true }));
  }
}
customElements.define('ap-story', StoryElement);
