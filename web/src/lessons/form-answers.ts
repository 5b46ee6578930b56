// SPDX-License-Identifier: Apache-2.0
// In the form of a question: the answer that its author expects, as fields and as a condition.
import { html, nothing } from 'lit';
import type { JsonObject } from '../engine/types.ts';
import { digits, typedNumber } from '../strings/numerals.ts';
import { withQuotes } from '../strings/quote.ts';
import { readings } from './answer.ts';
import { type QuestionDraft, withinShown } from './question-draft.ts';
import { words } from './words.ts';

const MOST_CHOICES = 8;
const isTolerance = (value: number): boolean => value >= 0 && Number.isFinite(value);

/** The condition that the draft's answer makes, with the texts to choose from; undefined until it is complete. */
export function answerOf(draft: QuestionDraft):
  { until: JsonObject; texts: JsonObject } | undefined {
  const { check, choices, chosen, typed, word } = draft;
  if (check === 'choice') {
    const kept = choices.map((text, at) => ({ text: text.trim(), at })).filter(({ text }) => text !== '');
    const right = kept.findIndex(({ at }) => at === chosen);
    return kept.length < 2 || right < 0 ? undefined
      : { until: { chosen: right }, texts: { choices: kept.map(({ text }) => text) } };
  }
  if (check === 'number') {
    const [[right], off] = [readings(typed), typedNumber(withinShown(draft))];
    return right !== undefined && isTolerance(off) ? { until: { typed: right, within: off }, texts: {} } : undefined;
  }
  const list = word.split('\n').map((one) => one.trim()).filter((one) => one !== '');
  return list.length > 0 ? { until: { word: list }, texts: {} } : undefined;
}

// Why there is no link yet, or which number a text with a comma is.
function numberSaid(draft: QuestionDraft): unknown {
  const [{ typed }, within] = [draft, withinShown(draft)];
  if (typed.trim() === '') return html`<p class="note" data-part="need">${words().needNumber}</p>`;
  const [right] = readings(typed);
  const problem = right === undefined ? words().notNumber(typed)
    : isTolerance(typedNumber(within)) ? undefined : words().wrong(words().within, words().fromZero, within);
  if (problem !== undefined) return html`<p class="error" role="alert" data-part="need">${withQuotes(problem)}</p>`;
  const read = digits(right!, 15);
  return read === typed.trim() ? nothing
    : html`<p class="note" data-part="understood">${words().understood(read)}</p>`;
}

/** The fields of the answer; `locked`: what the kept cell is, if there is one. */
export function answerFields(draft: QuestionDraft, write: (change: Partial<QuestionDraft>) => void,
  locked: string | undefined): unknown {
  const { check, choices, chosen, typed, word, done, hint } = draft;
  const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;
  const note = (name: 'done' | 'hint', now: string, label: string) => html`<label class="labelled">${label} <input
    type="text" dir="auto" maxlength="500" data-part=${name} .value=${now}
    @input=${(e: Event) => write({ [name]: valueOf(e) })} /></label>`;
  const fields = check === 'choice' ? html`<fieldset><legend>${words().choices}</legend>${
      choices.map((text, at) => html`<div class="line"><input type="radio" name="right" .checked=${at === chosen}
        aria-label=${words().rightChoice(at + 1)} @change=${() => write({ chosen: at })} /><input class="choice"
        type="text" dir="auto" maxlength="200" aria-label=${words().choice(at + 1)}
        placeholder=${words().choice(at + 1)} .value=${text}
        @input=${(e: Event) => write({ choices: choices.with(at, valueOf(e)) })} /></div>`)}
      ${choices.length < MOST_CHOICES ? html`<button class="link" data-part="add-choice"
        @click=${() => write({ choices: [...choices, ''] })}>${words().addChoice}</button>` : nothing}</fieldset>
      ${answerOf(draft) ? nothing : html`<p class="note" data-part="need">${words().needChoices}</p>`}`
    : check === 'number' ? html`<div class="line"><label>${words().rightNumber} <input
        data-part="typed" .value=${typed} @input=${(e: Event) => write({ typed: valueOf(e) })} /></label>
        <label>${words().within} <input inputmode="decimal" data-part="within"   .value=${withinShown(draft)}
        @input=${(e: Event) => write({ within: valueOf(e) })} /></label></div>
      ${numberSaid(draft)}
      ${locked === undefined ? nothing : html`<p class="note" data-part="locked">${locked}</p>`}`
    : html`<textarea rows="2" dir="auto" maxlength="500" data-part="word" aria-label=${words().rightWords}
        placeholder=${words().rightWords} .value=${word} @input=${(e: Event) => write({ word: valueOf(e) })}></textarea>
      <p class="note">${words().wordsNote}</p>`;
  return html`${fields}${note('hint', hint, words().hints)}${note('done', done, words().explains)}`;
}
