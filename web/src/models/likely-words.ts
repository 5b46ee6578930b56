// SPDX-License-Identifier: Apache-2.0
// The likeliest words with their probabilities, and how one of them is drawn.
import { html, nothing } from 'lit';
import { probable } from '../colour/numbers.ts';
import { shownWord, withSpaces } from '../strings/displayed-word.ts';
import { typedNumber } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import type { Likely, Sampling } from './types.ts';
import { words } from './words.ts';

/** The likeliest word, as published texts of these models are written. */
export const START: Readonly<Sampling> = { temperature: 0, top_k: 0, top_p: 1, seed: 1 };

const LARGEST: Readonly<Record<keyof Sampling, [number, number]>> = {
  temperature: [0, 10], top_k: [0, 1_000_000], top_p: [0.01, 1], seed: [0, 1_000_000_000] };

// As it is written among the tokens of the text.
const visible = (token: string): string => shownWord(withSpaces(token));

/** The probabilities before the last change of the document: those of the list, and what else is known of them. */
export interface Before {
  list: readonly Likely[];
  also: readonly Likely[];
}

/** `before`: if the last change changed the list; `also`: what else is known of the probabilities now. */
export const likelyWords = (list: readonly Likely[], says: (token: string) => string, take: (one: Likely) => void,
  before: Before | undefined, also: readonly Likely[] = [],
  full = false): unknown => html`<div class="next ${before ? 'changed' : ''}">${list.map((one) => {
    const was = before && probabilityOf(one.id, [...before.list, ...before.also]);
    return html`<button class="link" dir="auto"
    ?disabled=${full} data-id=${one.id} aria-label="${says(visible(one.token))}, ${probable(one.probability)}"
    @click=${() => take(one)}>${visible(one.token)}</button>
    <div aria-hidden="true"><div class="bar" ${place({ width: `${100 * one.probability}%` })}></div>${
      was === undefined ? nothing : tick(was)}</div>
    <span aria-hidden="true">${probable(one.probability)}</span>${
      before ? html`<span class="note" data-before=${one.id}>${was === undefined ? words().entered
        : words().before(probable(was))}</span>` : nothing}`;
  })}</div>${before ? html`<p class="note" data-part="changed">${changedSaid(list, before, also)}</p>` : nothing}`;

/** The likeliest word in a sentence, for who hears the page. */
export const heard = ([first]: readonly Likely[], row?: number): string => (first === undefined ? ''
  : row === undefined ? words().nextNow(visible(first.token), probable(first.probability))
  : words().fitsNow(row, visible(first.token), probable(first.probability)));

/**
 * The total variation between two lists of probabilities: 0 if they are equal, 1 if they have nothing in common. All
 * words that are not known on both sides count as one, so that the true distance is at least this.
 */
export function distance(now: readonly Likely[], before: readonly Likely[]): number {
  const both = [...new Map(now.map(({ id, probability }) => [id, probability]))].flatMap(([id, p]) => {
    const q = probabilityOf(id, before);
    return q === undefined ? [] : [[p, q] as const];
  });
  const rest = both.reduce((sum, [p, q]) => sum - p + q, 0);
  return (both.reduce((sum, [p, q]) => sum + Math.abs(p - q), 0) + Math.abs(rest)) / 2;
}

const probabilityOf = (id: number, list: readonly Likely[]): number | undefined =>
  list.find((one) => one.id === id)?.probability;

/** On a bar: where it ended before. */
export const tick = (share: number): unknown =>
  html`<i class="was" ${place({ 'inset-inline-start': `${100 * share}%` })}></i>`;

// Which words are in the list no more, with both probabilities, and what the second numbers are.
function changedSaid(list: readonly Likely[], before: Before, also: readonly Likely[]): string {
  const gone = before.list.filter(({ id }) => !list.some((one) => one.id === id));
  const moved = distance([...list, ...also], [...before.list, ...before.also]);
  return [words().beforeWhy, words().moved(probable(moved)),
    ...(gone.length === 0 ? [] : [words().gone(gone.map(({ id, token, probability }) => {
    const now = probabilityOf(id, also);
    return now === undefined ? words().goneOne(visible(token), probable(probability))
      : words().goneBoth(visible(token), probable(probability), probable(now));
  }))])].join(' ');
}

/** Whether two lists show the same words with the same probabilities. */
export const sameList = (one: readonly Likely[], other: readonly Likely[]): boolean =>
  one.length === other.length && one.every(({ id, probability }, k) =>
    other[k]!.id === id && other[k]!.probability === probability);

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
