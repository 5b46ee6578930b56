// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, type PropertyValues } from 'lit';
import { Part, property, reactive } from '../part.ts';
import { withQuotes } from '../strings/quote.ts';
import { isNumber } from './answer.ts';
import type { Course } from './course.ts';
import { words } from './words.ts';

/** Where the reader answers a step: a list to choose from, or a field for a number or a word. */
export class AnswerElement extends Part {
  @property({ attribute: false }) course!: Course;
  @property({ attribute: false }) choices: readonly string[] = [];
  /** What its author says after a wrong answer. */
  @property() hint = '';
  /** Another one begins with nothing. */
  @property({ type: Number }) round = 0;
  /** The step is done. */
  @property({ type: Boolean }) done = false;
  @reactive now: string | number | undefined;
  @reactive problem: string | undefined;

  static override styles = css`
    :host { display: block; margin-top: var(--space-3); }
    form { display: grid; gap: var(--space-3); justify-items: start; }
    fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
    fieldset label { display: flex; gap: var(--space-3); align-items: center; min-height: var(--press); }
    fieldset span { min-width: 0; overflow-wrap: anywhere; }
    fieldset input { accent-color: var(--ink); flex: none; }
    .typed { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; }
    .typed input { width: 180px; }
    p { margin: 0; }
  `;

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('round') || changed.has('course')) this.now = this.problem = undefined;
  }

  override render(): unknown {
    const { done, course: { asks, given, verdict } } = this;
    const said = given === this.now ? verdict : undefined;
    if (!asks) return nothing;
    const list = 'chosen' in asks;
    return html`<form @submit=${(e: Event) => this.check(e, 'typed' in asks)}>
      ${list ? this.list(asks.chosen, done) : html`<label class="typed">${words().yourAnswer}<input type="text"
        dir="auto" autocomplete="off" maxlength="200"
        data-part="answer" ?disabled=${done} .value=${String(this.now ?? '')}
        @input=${(e: Event) => (this.now = (e.target as HTMLInputElement).value)} /></label>`}
      ${done ? nothing : html`<button class="button" data-part="check"
        ?disabled=${this.now === undefined || this.now === ''}>${words().check}</button>`}
      <div role="status">${this.problem !== undefined ? html`<p class="error">${withQuotes(this.problem)}</p>`
        : said === 'wrong' ? html`<p data-part="wrong">✗ ${words().tryAgain} <span
          dir="auto">${this.hint}</span></p>`
        : said === 'more' ? html`<p data-part="more">✓ ${words().restToDo}</p>` : nothing}</div></form>`;
  }

  private list(right: number, done: boolean): unknown {
    // Of a step that is done the answer stays marked, also where its card was left meanwhile.
    const now = done ? right : this.now;
    return html`<fieldset ?disabled=${done}><legend class="unseen">${words().yourAnswer}</legend>${
      this.choices.map((text, at) => html`<label><input type="radio" name="answer" value=${at} .checked=${at === now}
        @change=${() => (this.now = at)} /><span dir="auto">${text}</span></label>`)}</fieldset>`;
  }

  private check(event: Event, isTyped: boolean): void {
    event.preventDefault();
    const { now } = this;
    if (now === undefined || now === '') return;
    this.problem = isTyped && !isNumber(String(now)) ? words().notNumber(String(now)) : undefined;
    if (this.problem !== undefined) return;
    this.course.answer(now);
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('answered', { bubbles: true }));
  }
}
customElements.define('ap-answer', AnswerElement);
