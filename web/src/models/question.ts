// SPDX-License-Identifier: Apache-2.0
// A size of a model that its reader chooses.
import { html, nothing } from 'lit';
import { maximum } from '../lists.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { isUsualWidth, likely } from './reading.ts';
import type { Question } from './types.ts';
import { words } from './words.ts';

export interface Answering {
  chosen: number | undefined;
  choose(value: number): void;
  answer(value: number): void;
}

/** `value`: what is used until another one is chosen; without one, what most models have is proposed. */
export function questionBox({ says, choices, value }: Question & { value?: number },
  { chosen: pressed, choose, answer }: Answering): unknown {
  // The largest choice is of heads two wide.
  const width = 2 * maximum(choices);
  const best = value === undefined ? likely({ choices }, width) : undefined;
  const chosen = pressed ?? value ?? best;
  return html`<div class="question" data-part="question"><h3 id="question">${
      withQuotes(words().question(quote(says)))}</h3>
    <p class="quiet">${words().questionWhy}</p>
    <div class="choices" role="group" aria-labelledby="question">${choices.map((n) => html`<button
      class="button" aria-pressed=${n === chosen} data-choice=${n} @click=${() => choose(n)}>${
      words().heads(n, width / n)}</button>`)}</div>
    ${best === undefined ? nothing : html`<p class="note">${words().likely(best, width / best,
      isUsualWidth(width) ? 'usual' : 'narrow')}</p>`}
    <button class="button first" data-part="answer" ?disabled=${chosen === undefined || chosen === value}
      @click=${() => answer(chosen!)}>${words().answer}</button></div>`;
}
