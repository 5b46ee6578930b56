// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import type { Json } from '../engine/types.ts';
import { words } from '../lecture/words.ts';
import { Part, reactive } from '../part.ts';
import { type Lecture, readLecture } from '../state/lecture.ts';
import { type Seen, seenOf } from '../state/link-view.ts';
import { direction } from '../strings/language.ts';
import { icons } from '../styles/icons.ts';

/** The moments of a lecture that an embed carries: readers step between them, and the embed shows their documents. */
export class MomentsElement extends Part {
  /** A lecture as it came. */
  @reactive given!: Json;
  @reactive at = 0;
  private lecture: Lecture | undefined;
  private came: Json | undefined;

  static override styles = css`
    :host { display: block; --press: 44px; }
    nav { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-2);
      border-bottom: 1px solid var(--line); }
    nav button { flex: none; width: 44px; height: 44px; min-height: 44px; }
    p { flex: 1; min-width: 0; text-align: center; overflow-wrap: anywhere; }
    small { color: var(--ink2); padding-inline-start: var(--space-3); white-space: nowrap; }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('keydown', this.key);
  }

  override willUpdate(): void {
    if (this.came === this.given) return;
    this.came = this.given;
    this.lecture = readLecture(this.given);
    this.at = this.lecture?.at ?? 0;
    this.store.restore(this.first());
  }

  // The map and the head that the lecture shows.
  private first(): Seen | undefined {
    const { map, head } = this.lecture ?? {};
    const within = map?.slice(0, Math.max(0, map.lastIndexOf('.')));
    return { ...(within ? { module: within } : {}), ...(head ? { chosen: { head } } : {}) };
  }

  private go(to: number): void {
    const { lecture, store } = this;
    const at = Math.max(0, Math.min(to, (lecture?.moments.length ?? 1) - 1));
    const moment = lecture?.moments[at];
    if (!moment || at === this.at) return;
    this.at = at;
    // What the reader looks at stays, except for a locked cell: another document has other numbers there.
    const { lock: _, ...seen } = seenOf(store) ?? {};
    store.documents.begin(structuredClone(moment.document));
    store.restore(seen);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const along = direction() === 'rtl' ? -1 : 1;
    const last = (this.lecture?.moments.length ?? 1) - 1;
    const to: Record<string, number> = { ArrowRight: this.at + along, ArrowLeft: this.at - along,
      PageDown: this.at + 1, PageUp: this.at - 1, Home: 0, End: last };
    const next = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (next <= last) this.go(next);
  };

  override render(): unknown {
    const { lecture, at } = this;
    const moment = lecture?.moments[at];
    if (!lecture || !moment || lecture.moments.length < 2) return nothing;
    const say = words();
    const name = moment.name || say.numbered(at + 1);
    const [before, after] = direction() === 'rtl' ? [icons.forward, icons.back] : [icons.back, icons.forward];
    // A button that cannot be pressed keeps the focus, so that the keys go on.
    const button = (part: string, title: string, drawn: unknown, by: number, ends: boolean) => html`<button class="icon"
      data-part=${part} aria-label=${title} title=${title} aria-disabled=${ends ? 'true' : nothing}
      @click=${() => this.go(this.at + by)}>${drawn}</button>`;
    return html`<nav aria-label=${say.moments}>${button('previous', say.previous, before, -1, at === 0)}
      <p role="status" aria-label=${say.spoken(at + 1, lecture.moments.length, name)}><bdi>${name}</bdi> <small><bdi>${
        at + 1} / ${lecture.moments.length}</bdi></small></p>
      ${button('next', say.next, after, 1, at === lecture.moments.length - 1)}</nav>`;
  }
}
customElements.define('ap-moments', MomentsElement);
