// SPDX-License-Identifier: Apache-2.0
// The likeliest words with their probabilities, and how one of them is drawn.
import { html } from 'lit';
import { inTable } from '../colour/numbers.ts';
import { typedNumber } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import type { Likely, Sampling } from './types.ts';
import { words } from './words.ts';

/** The likeliest word, as published texts of these models are written. */
export const START: Readonly<Sampling> = { temperature: 0, top_k: 0, top_p: 1, seed: 1 };

const LARGEST: Readonly<Record<keyof Sampling, [number, number]>> = {
  temperature: [0, 10], top_k: [0, 1_000_000], top_p: [0.01, 1], seed: [0, 1_000_000_000] };

// A space before a word is shown; what cannot be seen is shown by its number.
export const visible = (token: string): string =>
  token.replace(/^[ \u2581\u0120]/, '␣').replace(/\n/g, '⏎').replace(/\t/g, '⇥');

export const likelyWords = (list: readonly Likely[], says: (token: string) => string, take: (one: Likely) => void,
  full = false): unknown => html`<div class="next">${list.map((one) => html`<button class="link" dir="auto"
    ?disabled=${full} data-id=${one.id} aria-label="${says(visible(one.token))}, ${inTable(one.probability, 2)}"
    @click=${() => take(one)}>${visible(one.token)}</button>
    <div aria-hidden="true"><div class="bar" ${place({ width: `${100 * one.probability}%` })}></div></div>
    <span aria-hidden="true">${inTable(one.probability, 2)}</span>`)}</div>`;

/** A number that was typed, within what there is; undefined where it is none. */
export function within(name: keyof Sampling, text: string): number | undefined {
  const value = typedNumber(text);
  const [low, high] = LARGEST[name];
  if (!Number.isFinite(value)) return undefined;
  const kept = Math.min(high, Math.max(low, value));
  return name === 'top_k' || name === 'seed' ? Math.round(kept) : kept;
}

export function samplingFields(now: Sampling, change: (sampling: Sampling) => void): unknown {
  const names = { temperature: words().temperature, top_k: words().topK, top_p: words().topP, seed: words().seed };
  return html`<div class="row sampling note">${(Object.keys(names) as (keyof Sampling)[]).map((name) =>
    html`<label>${names[name]} <input inputmode="decimal" data-sampling=${name} .value=${String(now[name])}
      @change=${(e: Event) => {
        const input = e.target as HTMLInputElement;
        const value = within(name, input.value);
        if (value === undefined) input.value = String(now[name]);
        else change({ ...now, [name]: value });
      }} /></label>`)}<span>${words().greedy}</span></div>`;
}
