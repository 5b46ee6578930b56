// SPDX-License-Identifier: Apache-2.0
// int8 activations beside int8 weights: the choice, and how far the words then are from those without it.
import { html, nothing } from 'lit';
import type { Doc, JsonObject } from '../engine/types.ts';
import { maximum, minimum } from '../lists.ts';
import { isObject } from '../engine/pointer.ts';
import { digits } from '../strings/numerals.ts';
import type { Likely, Masked, Next } from './types.ts';
import { words } from './words.ts';

export const activationsRounded = ({ parameters }: Doc): boolean =>
  isObject(parameters) && parameters['activations'] === 'int8';

export function roundActivations(document: Doc, rounded: boolean): void {
  const { activations: _, ...others } = document['parameters'] as JsonObject;
  document['parameters'] = rounded ? { ...others, activations: 'int8' } : others;
}

/** The same document without int8 activations. */
export function unrounded(document: Doc): Doc {
  const copy = { ...document };
  roundActivations(copy, false);
  return copy;
}

export interface Difference {
  /** No listed word's probability differs by more. */
  most: number;
  /** Whether the likeliest words are the same. */
  same: boolean;
}

// A word that one list lacks is there at most as likely as its least likely one.
function furthest(one: readonly Likely[], other: readonly Likely[]): number {
  const known = new Map(other.map(({ id, probability }) => [id, probability]));
  const least = minimum([1, ...known.values()]);
  return maximum([0, ...one.map(({ id, probability }) => {
    const there = known.get(id);
    return there === undefined ? Math.max(probability, least - probability) : Math.abs(probability - there);
  })]);
}

/** The lists of an answer: one, or one for each mask in the text. */
export const listsIn = (said: Next | Masked): readonly (readonly Likely[])[] =>
  ('masked' in said ? said.masked.map((one) => one.words) : [said.next]);

/** The tokens of each list that were asked for beside the likeliest. */
export const alsoIn = (said: Next | Masked): readonly (readonly Likely[])[] =>
  ('masked' in said ? said.masked.map((one) => one.also ?? []) : [said.also ?? []]);

/** How far two answers to the same text are apart. */
export function differenceOf(rounded: Next | Masked, unrounded: Next | Masked): Difference {
  const [now, wanted] = [listsIn(rounded), listsIn(unrounded)];
  const pairs = now.map((list, k) => [list, wanted[k] ?? []] as const);
  return {
    most: maximum([0, ...pairs.flatMap(([one, other]) => [furthest(one, other), furthest(other, one)])]),
    same: pairs.every(([one, other]) => one[0]?.id === other[0]?.id),
  };
}

/** Two digits, rounded up: a bound that is printed holds. */
export function bound(most: number): number {
  if (most === 0) return 0;
  const places = 1 - Math.floor(Math.log10(most));
  return Number(`${Math.ceil(Number((most * 10 ** places).toFixed(6)))}e${-places}`);
}

/** The box, and how far it moves the probabilities that are shown. */
export const int8Activations = (rounded: boolean, difference: Difference | undefined,
  change: (rounded: boolean) => void): unknown => html`<div class="row"><label class="note"><input type="checkbox"
    data-part="int8-activations" .checked=${rounded}
    @change=${(e: Event) => change((e.target as HTMLInputElement).checked)} /> ${words().activations}</label></div>
  <p class="note">${words().activationsWhy}</p>
  ${rounded && difference ? html`<p class="note" role="status" data-part="activations-difference"
    data-most=${difference.most}>${words().activationsDiffer(digits(bound(difference.most), 2),
      difference.same ? 'same' : 'other')}</p>` : nothing}`;
