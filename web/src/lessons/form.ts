// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { full } from '../colour/numbers.ts';
import { naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { valueAt } from '../engine/result.ts';
import type { Json, JsonObject } from '../engine/types.ts';
import { Part } from '../part.ts';
import { select } from '../select.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { typedNumber } from '../strings/numerals.ts';
import { withQuotes } from '../strings/quote.ts';
import { withMap } from '../strings/heads.ts';
import { headAt } from '../directory/heads.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { packed } from './brought.ts';
import { answerFields, answerOf } from './form-answers.ts';
import { CHECKS, isWritten, type QuestionDraft, questionDraft } from './question-draft.ts';
import { readLesson, SCHEMA } from './read.ts';
import { words } from './words.ts';

/**
 * A question: the link opens the document with a task, and the page checks the number of the locked cell, or an answer
 * that the reader chooses or types.
 */
export class QuestionFormElement extends Part {
  private readonly clipboard = new Clipboard(this);

  static override styles = css`
    :host { display: grid; gap: var(--space-4); }
    textarea { width: 100%; resize: vertical; }
    .line { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-4); align-items: center; }
    .line select { width: auto; }
    .line input { width: 88px; }
    .line input[type='radio'] { width: auto; accent-color: var(--ink); }
    .line .choice { flex: 1 1 160px; width: auto; min-width: 0; }
    fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: var(--space-2);
      justify-items: start; }
    fieldset .line { width: 100%; }
    legend { color: var(--ink2); }
    .line .link-field { flex: 1 1 200px; width: auto; min-width: 0; }
    .labelled { display: grid; gap: var(--space-1); color: var(--ink2); }
    p { margin: 0; }
  `;

  // What the question is about: the locked number of a result.
  private get about(): { measure: JsonObject; label: string; value: number } | undefined {
    const { selection: { lock }, sessions: { result } } = this.store;
    const tensor = lock?.group === 'outputs' ? result?.whole(lock.tensor, 'outputs') : undefined;
    if (!lock || !tensor || !result || lock.index.length !== tensor.shape.length || tensor.shape.length < 2)
      return undefined;
    const [i, j] = [lock.index.at(-2)!, lock.index.at(-1)!];
    const named = (axis: -2 | -1, at: number): { token?: string; at: number } => {
      const labels = result.labels(tensor.places.at(axis)!);
      // The first of equal tokens is meant by its word, every other one by its number.
      return labels?.indexOf(labels[at]!) === at ? { token: labels[at]!, at } : { at };
    };
    const [row, col] = [named(-2, i), named(-1, j)];
    const head = tensor.places.indexOf(HEAD);
    const measure: JsonObject = { of: tensor.name, what: 'max',
      ...(head === 0 && tensor.shape.length === 3 ? { head: lock.index[0]! } : {}),
      ...(row.token === undefined ? { rows: [i, i + 1] } : { row: row.token }),
      ...(col.token === undefined ? { cols: [j, j + 1] } : { col: col.token }) };
    if (tensor.shape.length > (head === 0 ? 3 : 2)) return undefined;
    const at = head === 0 ? headAt(tensor, lock.index[0]!) : undefined;
    const said = [row, col].map(({ token, at: place }) => token ?? String(place + 1)).join(' → ');
    const cell = `${naming(tensor).one || tensor.name} ${said}`;
    return { measure, value: valueAt(tensor, lock.index),
      label: at ? withMap(words().ofHead(cell, at.head), at.map) : cell };
  }

  private get draft(): QuestionDraft {
    return questionDraft(this.store).value;
  }

  private write(change: Partial<QuestionDraft>): void {
    questionDraft(this.store).value = { ...this.draft, ...change };
  }

  private lesson(): Json | undefined {
    const { about, draft } = this;
    const { check, sign, task, bound, title, done, hint } = draft;
    const { documents: { document }, selection: { lock } } = this.store;
    if (!isWritten(draft)) return undefined;
    const written = (more: JsonObject = {}, texts: JsonObject = {}): JsonObject => ({
      title: title.trim() || words().formTitle, ...more, steps: [{ do: task.trim(), ...texts }] });
    const made = (until: JsonObject, text: JsonObject, more: JsonObject = {}): Json => ({ schema: SCHEMA,
      document: document as Json, ...more, steps: [{ until }], text: { [language()]: text } });
    if (check !== 'page') {
      const answer = answerOf(draft);
      const said = Object.entries({ done, hint }).filter(([, text]) => text.trim() !== '');
      return answer && made(answer.until, written({}, { ...answer.texts, ...Object.fromEntries(said) }),
        // A kept cell would show the number that is asked for.
        lock && check !== 'number' ? { lock: lock as unknown as Json } : {});
    }
    const than = typedNumber(bound);
    if (!about || !Number.isFinite(than)) return undefined;
    const goal = words().goal(about.label, words()[sign === '>' ? 'over' : 'under'], bound.trim());
    return made({ measure: about.measure, is: sign, than }, written({ show: [goal] }),
      { lock: lock as unknown as Json, show: [about.measure] });
  }

  override render(): unknown {
    const { about, draft } = this;
    const { check, task, title } = draft;
    const kinds = CHECKS.map((kind) => [kind, words().checks[kind]] as const);
    const write = (change: Partial<QuestionDraft>) => this.write(change);
    const chooser = html`<label class="line">${words().checkedBy} ${select(kinds, check,
      (chosen) => write({ check: chosen }), { part: 'check' })}</label>`;
    if (check === 'page' && !about)
      return html`${chooser}<p class="note" data-part="lock-first">${words().lockFirst}</p>`;
    const lesson = this.lesson();
    return html`${chooser}<p class="note">${check === 'page' ? words().formAbout : words().answerAbout}</p>
      <input type="text" dir="auto" maxlength="80" data-part="title" aria-label=${words().ownTitle}
        placeholder=${words().ownTitle} .value=${title}
        @input=${(e: Event) => write({ title: (e.target as HTMLInputElement).value })} />
      <textarea rows="2" dir="auto" maxlength="500" data-part="task" aria-label=${words().task}
        placeholder=${words().task} .value=${task}
        @input=${(e: Event) => write({ task: (e.target as HTMLTextAreaElement).value })}></textarea>
      ${check === 'page' ? this.ofPage(about!, lesson) : html`${answerFields(draft, write, about
        && words().lockedIs(about.label, full(about.value)))}${lesson ? this.made(lesson) : nothing}`}`;
  }

  // A number that is right already leaves nothing to do.
  private ofPage(about: { label: string; value: number }, lesson: Json | undefined): unknown {
    const { sign, bound } = this.draft;
    const than = typedNumber(bound);
    const already = Number.isFinite(than) && (sign === '>' ? about.value > than : about.value < than);
    return html`<div class="line"><span data-part="measured">${words().measured(about.label, full(about.value))}</span>
        ${select<'>' | '<'>([['>', words().over], ['<', words().under]], sign,
          (chosen) => this.write({ sign: chosen }), { label: words().relation })}
        <input data-part="bound" aria-label=${words().bound} .value=${bound}
          @input=${(e: Event) => this.write({ bound: (e.target as HTMLInputElement).value })} /></div>
      ${already ? html`<p class="error" role="alert" data-part="already">${words().already}</p>` : nothing}
      ${lesson && !already ? this.made(lesson) : nothing}`;
  }

  private made(lesson: Json): unknown {
    try {
      readLesson(lesson, '');
    } catch (problem) {
      return html`<p class="error" role="alert">${withQuotes((problem as Error).message)}</p>`;
    }
    const page = new URL(location.href);
    page.hash = `lesson=${packed(lesson)}`;
    const { href } = page;
    return html`<div class="line"><input class="link-field" type="text" dir="ltr" readonly
        aria-label=${words().questionLink} .value=${href}
        @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
      <button class="button first" data-part="copy-question"
        @click=${() => void this.clipboard.copy(href, '.link-field')}>${this.clipboard.copied
          ? words().copiedQuestion : words().copyQuestion}</button>
      <button class="button" data-part="save-question" @click=${() => save(new Blob([JSON.stringify(lesson, null, 1)],
        { type: 'application/json' }), savedName(this, 'json', words().formTitle))}>${
        words().saveQuestion}</button></div>
      <p class="note" data-part="no-question">${strings.sharing.noQuestion}</p>
      <p class="note" data-length=${href.length}>${words().linkLength(href.length)}</p>
      <p class="error" role="alert">${this.clipboard.refused ? words().copyByHand : ''}</p>`;
  }
}
customElements.define('ap-question-form', QuestionFormElement);
