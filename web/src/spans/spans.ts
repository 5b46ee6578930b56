// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import type { Json } from '../engine/types.ts';
import { inTitles } from '../controls/in-titles.ts';
import { Part, reactive } from '../part.ts';
import { get } from '../engine/pointer.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { objection } from '../strings/quote.ts';
import { shownWord } from '../strings/displayed-word.ts';
import { bordersOf, type Cut, faultOf, fitted, borderMoved, readSpans, sentencesOf, type Span, toggled, typed,
  written } from './partition.ts';
import { words } from './words.ts';

const MOST = 300;

/** The parts of a text as boxes around its words; between two words a border can be set, moved or taken away. */
export class SpansElement extends Part {
  @reactive cut!: Cut;
  /** Typed text that says no spans. */
  @reactive wrong: string | undefined;
  private dragged: number | undefined;
  private wanted: number | undefined;

  static override styles = css`
    :host { display: block; margin-top: var(--space-4); max-width: 900px; }
    .head { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-6); align-items: baseline; }
    .line { display: flex; flex-wrap: wrap; row-gap: var(--space-3); padding: var(--space-2) 0; touch-action: pan-y;
      user-select: none; }
    .word { padding: var(--space-2); background: var(--hover); border-block: 1px solid var(--line2);
    white-space: pre; }
    .word.odd { background: var(--panel); }
    .word.first { border-inline-start: 1px solid var(--line2); border-start-start-radius: var(--radius);
    border-end-start-radius: var(--radius); padding-inline-start: var(--space-4); }
    .word.last { border-inline-end: 1px solid var(--line2); border-start-end-radius: var(--radius);
      border-end-end-radius: var(--radius); padding-inline-end: var(--space-4); }
    .gap { width: 8px; margin: 0 calc(-1 * var(--space-2)); position: relative; z-index: 1; cursor: pointer; }
    .gap:hover::after { content: ''; position: absolute; inset: 3px auto 3px 3px; width: 2px; background: var(--ink3);
    }
    .gap[aria-checked='true'] { width: 14px; margin: 0; cursor: ew-resize; touch-action: none; }
    .gap[aria-checked='true']::after { content: ''; position: absolute; inset: 1px auto 1px 5px; width: 4px;
    border-radius: var(--radius-round); background: var(--ink); }
    input { width: min(100%, 340px); margin-inline-end: var(--space-3); }
    @media (pointer: coarse) { .gap[aria-checked='true'] { width: 30px; }
      .gap[aria-checked='true']::after { left: 13px; } .word { padding-block: var(--space-6); }
      input, .link { min-height: 44px; } }
  `;

  private get tokens(): string[] {
    const given = this.store.documents.document.inputs[this.cut.input] ?? {};
    const words = given['tokens'] ?? given['labels'];
    if (Array.isArray(words)) return words.map(String);
    // Rows without words are counted.
    const rows = Array.isArray(given['matrix']) ? given['matrix'].length
      : (this.store.sessions.result?.whole(this.cut.input, 'inputs')?.shape[0] ?? 0);
    return Array.from({ length: rows }, (_, k) => String(k));
  }

  // What is cut: the words, or the parts that the cut below has made.
  private get units(): string[] {
    const { tokens } = this;
    if (this.cut.over === 'tokens') return tokens;
    const below = readSpans(get(this.store.documents.document, `${this.cut.owner}/spans`)) ?? sentencesOf(tokens);
    return below.map(([start, end]) => tokens.slice(start, end).join(' '));
  }

  private get value(): Json | undefined {
    return get(this.store.documents.document, this.cut.path);
  }

  private get spans(): Span[] {
    const { units } = this;
    return readSpans(this.value) ?? (this.cut.over === 'tokens' ? sentencesOf(units) : [[0, units.length]]);
  }

  private put(spans: Span[], gesture?: string): void {
    this.wrong = undefined;
    this.store.documents.set(this.cut.path, spans, gesture);
  }

  override render(): unknown {
    const { units, spans, value, cut } = this;
    const say = words();
    const count = units.length;
    if (count === 0) return nothing;
    const fault = value === undefined ? undefined : faultOf(spans, count);
    const borders = new Set(bordersOf(spans));
    const refused = this.store.errorAt(cut.path);
    const partOf = (at: number) => spans.findIndex(([start, end]) => start <= at && at < end);
    return html`<div class="head"><b lang=${cut.knob.lang ?? nothing}>${cut.knob.title}</b><span
      class="note">${say.parts(spans.length)}. ${say.help}</span>
        ${value === undefined ? nothing
          : html`<button class="link note" data-part="automatic"
          @click=${() => { this.wrong = undefined; this.store.documents.set(cut.path, undefined); }}>${
          cut.over === 'tokens' ? say.automatic : strings.reset}</button>`}</div>
      <div class="line" role="group" aria-label=${cut.knob.title} @pointermove=${this.drag} @pointerup=${this.drop}
        @pointercancel=${this.drop} @keydown=${this.key}>
        ${units.slice(0, MOST).map((unit, at) => html`${at === 0 ? nothing : this.gap(at, borders.has(at), units)}<span
          class="word ${partOf(at) % 2 ? 'odd' : ''} ${at === 0 || borders.has(at) ? 'first'
            : ''} ${at === count - 1 || borders.has(at + 1) ? 'last' : ''}">${shownWord(unit)}</span>`)}
        ${count > MOST ? html`<span class="note">${strings.moreTokens(count - MOST)}</span>` : nothing}</div>
      <input aria-label="${cut.knob.title}: ${say.typed}"
        aria-invalid=${fault !== undefined || this.wrong !== undefined} aria-describedby="fault"
        .value=${this.wrong ?? written(spans)}
        @change=${(e: Event) => this.type((e.target as HTMLInputElement).value)} />
      <span class="note">${say.typed}</span>
      <div id="fault">${this.wrong !== undefined
        ? html`<p class="error" role="alert">${say.faults['notSpans']!(0, 0, 0)}</p>` : nothing}
        ${fault ? html`<p class="error" role="alert"
          data-fault=${fault.kind}>${say.faults[fault.kind]!(fault.span + 1, fault.at, count)} ${strings.stillShown}
          <button class="link inline" data-part="fit" @click=${() => this.put(fitted(spans, count))}>${
            say.fit}</button></p>`
        : refused === undefined ? nothing
        : html`<p class="error" role="alert">${inTitles(refused, cut.knob, undefined)
          ?? objection(cut.knob.title, refused)} ${strings.stillShown}</p>`}</div>`;
  }

  private gap(at: number, border: boolean, units: string[]): unknown {
    const [before, after] = [units[at - 1]!, units[at]!].map(shownWord) as [string, string];
    const first = bordersOf(this.spans)[0] ?? 1;
    const label = border ? words().border(before, after) : words().none(before, after);
    return html`<span class="gap" role="switch" data-at=${at} tabindex=${at === (this.wanted ?? first) ? 0 : -1}
      aria-checked=${border} aria-label=${label} title=${label}
      @pointerdown=${(e: PointerEvent) => this.grab(e, at, border)} @click=${() => this.press(at, border)}
      @focus=${() => (this.wanted = at)}></span>`;
  }

  private grab(event: PointerEvent, at: number, border: boolean): void {
    // A drag that ended over another border was no press of this one.
    this.slid = false;
    if (!border || event.button !== 0) return;
    event.preventDefault();
    this.dragged = at;
  }

  private slid = false;

  // The gap nearest to the pointer, in its line.
  private drag(event: PointerEvent): void {
    if (this.dragged === undefined) return;
    const gaps = [...this.renderRoot.querySelectorAll<HTMLElement>('.gap')];
    const far = (gap: HTMLElement) => {
      const box = gap.getBoundingClientRect();
      return Math.abs(box.left + box.width / 2 - event.clientX)
        + 4 * Math.max(0, box.top - event.clientY, event.clientY - box.bottom);
    };
    const nearest = gaps.toSorted((a, b) => far(a) - far(b))[0];
    const to = Number(nearest?.dataset['at']);
    if (!nearest || to === this.dragged) return;
    this.slide(to, `border ${this.cut.path}`);
  }

  private slide(to: number, gesture?: string): void {
    const from = this.dragged ?? this.wanted ?? 0;
    const before = bordersOf(this.spans);
    const spans = borderMoved(this.spans, from, to, this.units.length);
    const now = bordersOf(spans)[before.indexOf(from)];
    if (now === undefined || now === from) return;
    this.slid = true;
    this.wanted = now;
    if (this.dragged !== undefined) this.dragged = now;
    this.put(spans, gesture);
  }

  private drop(): void {
    if (this.dragged === undefined) return;
    this.dragged = undefined;
    this.store.documents.endGesture();
  }

  private press(at: number, border: boolean): void {
    // The end of a drag is no press.
    if (this.slid) this.slid = false;
    else if (!border || faultOf(this.spans, this.units.length) === undefined)
      this.put(toggled(this.spans, at, this.units.length));
    this.wanted = at;
  }

  private key(event: KeyboardEvent): void {
    const gap = (event.composedPath()[0] as HTMLElement).closest?.<HTMLElement>('.gap');
    if (!gap) return;
    const at = Number(gap.dataset['at']);
    const on = direction() === 'rtl' ? -1 : 1;
    const step: Record<string, number> = { ArrowRight: on, ArrowLeft: -on };
    const by = step[event.key];
    const borders = bordersOf(this.spans);
    this.wanted = at;
    if (by !== undefined && gap.getAttribute('aria-checked') === 'true' && !event.shiftKey) this.slide(at + by);
    else if (by !== undefined) this.wanted = Math.min(this.units.length - 1, Math.max(1, at + by));
    else if (event.key === 'Home' || event.key === 'End')
      this.wanted = (event.key === 'Home' ? borders[0] : borders.at(-1)) ?? at;
    else if (event.key === 'Enter' || event.key === ' ' || (event.key === 'Delete' && borders.includes(at)))
      this.put(toggled(this.spans, at, this.units.length));
    else return;
    event.preventDefault();
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`.gap[data-at="${this.wanted}"]`)?.focus());
  }

  private type(text: string): void {
    const spans = typed(text);
    if (spans) this.put(spans);
    else this.wrong = text;
  }
}
customElements.define('ap-spans', SpansElement);
