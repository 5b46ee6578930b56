// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Doc } from '../engine/types.ts';
import { weightsOf } from '../directory/modules.ts';
import { titleOf } from '../state/model.ts';
import { titleCalled } from '../state/document-title.ts';
import { Later } from '../lazy-fetch.ts';
import { Part } from '../part.ts';
import { moduleCalled } from '../strings/counted.ts';
import { language } from '../strings/language.ts';
import { strings } from '../strings/en.ts';
import { uncover } from '../avoid-covering.ts';
import { isFirst, isFirstModel, learnedFrom, showsTrained } from './first.ts';
import { marginOf } from './margin.ts';
import { divided, filled, headOnShow, kin, type Note, stillHolds, strongest, weight } from './notice.ts';
import { rank, type Rank } from '../turns.ts';

const notes = new Later(() => Promise.all([import('./notes.ts'), import('./preset-shapes.ts')]));
const systems = new Later(() => import('../gallery/system-sentences.ts'));

/** Above the picture: whom the page is for and where to start, what stands here, and what to notice in it. */
export class StoryElement extends Part {
  private about: string | undefined;
  private starts: number | undefined;
  /** What the document set out from when this was drawn last. */
  private from: Doc | undefined;
  /** The document as a drag left it. */
  private dragged: Doc | undefined;
  /** A sentence about the picture was shown since the document began. */
  private saw = false;

  static override styles = css`
    :host { display: block; box-sizing: border-box; padding: var(--space-6) var(--space-12) 0; }
    :host([narrow]) { padding: var(--space-6) var(--space-7) 0; }
    p { margin: 0; font-size: var(--text-read); line-height: var(--leading-read); max-width: 110ch; }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); margin: 0; }
    .who { color: var(--ink2); font-size: var(--text); margin-block-end: var(--space-4); }
  `;

  // While something is dragged, what stands below stays where it is, and afterwards too: until something else is chosen
  // or another document comes.
  override willUpdate(): void {
    const { style } = this;
    const { base: from, document, held } = this.store.documents;
    const started = from !== this.from;
    if (started || (!held && document !== this.dragged)) style.minHeight = '';
    else if (held && style.minHeight === '') style.minHeight = `${this.offsetHeight}px`;
    this.from = from;
    if (held) this.dragged = document;
    this.saw &&= !started;
  }

  // Another document begins at its beginning, wherever the reader was in the one before. Undo returns to a document
  // that the reader knows, and moves nothing.
  override updated(): void {
    const { base: from, starts } = this.store.documents;
    const about = titleOf(from) ?? '';
    if (this.about !== undefined && this.about !== about && this.starts !== starts) uncover(this);
    [this.about, this.starts] = [about, starts];
  }

  // It is above the picture, which would move if it came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  protected override get forReading(): boolean {
    return true;
  }

  override render(): unknown {
    const { store } = this;
    const first = isFirst(store);
    const note = this.note(first);
    const see = this.see(note);
    this.saw ||= see !== undefined;
    // A choice that leaves nothing to say keeps the line, so that the picture stays where it is.
    const line = this.saw ? html`<p aria-hidden="true">\u00a0</p>` : nothing;
    return html`${first ? html`<p class="who">${strings.story.who} <button class="link inline" data-door="tour"
      @click=${() => store.view.teach('tour')}>${strings.story.tour}</button></p>` : nothing}
      ${note ? html`<h2>${note.is}</h2>${
        first ? html`<p data-part="attention">${strings.story.attention}</p>` : nothing}`
        : this.edited() ?? (first ? nothing : this.system())}
      ${see === undefined ? line : html`<p class="see" data-part="see">${see}</p>`}${
        // Until something is trained nothing is fetched for it.
        store.trainings.untaken.value ? (systems.use(this)?.untakenHint(store) ?? nothing) : nothing}`;
  }

  // What is said of the preset that this document still is, whatever numbers were moved.
  private note(first: boolean): Note | undefined {
    const { base: from, document } = this.store.documents;
    if (first && isFirstModel(this.store)) {
      const dark = this.theme === 'dark';
      return { is: strings.first.is, see: strings.first.see(dark, learnedFrom(this.store.example)) };
    }
    if (first || this.drawn || !kin(from, document) || this.isOther) return undefined;
    return notes.use(this)?.[0].noteOf(titleOf(from) ?? '', language());
  }

  // Whoever made the link changed a preset or a system and kept its title.
  private get isOther(): boolean {
    const { base } = this.store.documents;
    const known = notes.use(this)?.[1];
    return known !== undefined && (known.isOtherPreset(base) ?? systems.use(this)?.isOtherSystem(this.store) ?? false);
  }

  // What was said no longer holds of a document that was changed: its heading stays, so that nothing below it moves.
  private edited(): unknown {
    const { base: from, document } = this.store.documents;
    const title = titleOf(from);
    if (title === undefined) return undefined;
    const called = titleCalled(this.store.book, title);
    if (this.drawn || !stillHolds(from, document)) return html`<h2>${strings.story.edited(called)}</h2>`;
    return this.isOther ? html`<h2>${strings.story.changed(called)}</h2>` : undefined;
  }

  // Words without a vector of their own have random numbers, of which nothing holds that is said of similar words.
  private get drawn(): boolean {
    return this.store.sessions.result?.directory.warnings.some(({ path }) => /^\/inputs\/[^/]+\/features/.test(path))
      ?? false;
  }

  // What is told of the system that this document still is.
  private system(): unknown {
    const { base: from, document } = this.store.documents;
    return stillHolds(from, document) ? (systems.use(this)?.toldOf(this.store, titleOf(from), this) ?? nothing)
      : nothing;
  }

  // Of two that are compared, what is said holds of the one that the controls set; of several modules and heads, of
  // those shown.
  private within(said: string, ...parts: (string | undefined)[]): string {
    const { on, editing } = this.store.comparison;
    const where = [...(on ? [editing] : []), ...parts.filter((part) => part !== undefined)].join(strings.comma);
    return where === '' ? said : strings.story.inSide(where, said);
  }

  private see(note: Note | undefined): string | undefined {
    const { sessions: { result }, selection: { chosen } } = this.store;
    if (!result) return undefined;
    const said = note?.see ? filled(note.see, result) : undefined;
    if (said !== undefined) return this.within(said);
    // What can be said row by row stands beside the rows.
    if (marginOf(this.store)) return undefined;
    const { module } = this.store.view;
    const tensor = weightsOf(result, module);
    const rows = showsTrained(this.store) ? divided(result, chosen, tensor) : [];
    const told = rows.map(({ query, keys: [one, other], values: [most, next] }) =>
      strings.story.divided(query, one, weight(most), other, weight(next)));
    const where = [module === undefined || !tensor?.within ? undefined : moduleCalled(tensor.within),
      headOnShow(result, chosen, tensor)];
    if (told.length > 0) return this.within(told.join(' '), ...where);
    const most = strongest(result, chosen, tensor);
    return most && this.within(strings.story.strongest(most.query, most.key, weight(most.value)), ...where);
  }
}
customElements.define('ap-story', StoryElement);
