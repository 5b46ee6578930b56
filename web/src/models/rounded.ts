// SPDX-License-Identifier: Apache-2.0
// Rows as int8 beside int8 weights: the choice, and how far the words then are from those of rows as they are.
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Doc } from '../engine/types.ts';
import { isObject } from '../state/catalogue.ts';
import type { Likely, Masked, Next } from './types.ts';
import { words } from './words.ts';

export const ROWS_AS = '/parameters/rows_as';

/** Whether rows that meet int8 weights are int8, too. */
export const rowsRounded = ({ parameters }: Doc): boolean =>
  isObject(parameters) && parameters['rows_as'] === 'int8';

/** The document with rows as int8, or as they are. */
export function roundRows(document: Doc, rounded: boolean): void {
  const { rows_as: _, ...others } = document.parameters as Record<string, unknown>;
  document.parameters = (rounded ? { ...others, rows_as: 'int8' } : others) as never;
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
  const least = Math.min(...other.map(({ probability }) => probability));
  return Math.max(0, ...one.map(({ id, probability }) => {
    const there = known.get(id);
    return there === undefined ? Math.max(probability, least - probability) : Math.abs(probability - there);
  }));
}

const listsIn = (said: Next | Masked): readonly (readonly Likely[])[] =>
  ('masked' in said ? said.masked.map((one) => one.words) : [said.next]);

/** How far two answers to the same text are apart. */
export function differenceOf(rounded: Next | Masked, exact: Next | Masked): Difference {
  const [now, wanted] = [listsIn(rounded), listsIn(exact)];
  return {
    most: Math.max(0, ...now.map((list, k) => Math.max(furthest(list, wanted[k] ?? []), furthest(wanted[k] ?? [], list)))),
    same: now.every((list, k) => list[0]?.id === wanted[k]?.[0]?.id),
  };
}

/** Two digits, rounded up: a bound that is printed holds. */
export function bound(most: number): string {
  if (most === 0) return '0';
  const unit = 10 ** (Math.floor(Math.log10(most)) - 1);
  return full(Math.ceil(most / unit - 1e-9) * unit);
}

/** The choice, with what it does to the words that are shown. */
export const roundedRows = (rounded: boolean, difference: Difference | undefined,
  change: (rounded: boolean) => void): unknown => html`<div class="row"><label class="note"><input type="checkbox"
    data-part="rows-as" .checked=${rounded}
    @change=${(e: Event) => change((e.target as HTMLInputElement).checked)} /> ${words().rowsAs}</label></div>
  <p class="note">${words().rowsAsWhy}</p>
  ${rounded && difference ? html`<p class="note" role="status" data-part="rows-difference" data-most=${difference.most}>${
    words().rowsDiffer(bound(difference.most), difference.same ? 'same' : 'other')}</p>` : nothing}`;
