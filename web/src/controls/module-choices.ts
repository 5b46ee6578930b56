// SPDX-License-Identifier: Apache-2.0
// What the controls are made from: the modules of a document and what is chosen at each place of it.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { type Choice, typeOf } from '../state/catalogue.ts';
import { isModel, type Member, membersOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';

export interface Chosen {
  /** Whether the modules are those of a model. */
  model: boolean;
  members: readonly Member[];
  choices: readonly Choice[];
}

/** The choice whose formula is shown before anybody asked for one: where scores become weights. */
export const shownFirst = (choices: readonly Choice[]): Choice | undefined =>
  choices.find(({ slot }) => slot.kind === 'alignment');

const sameMember = (one: Member, other: Member): boolean =>
  one.name === other.name && one.path === other.path && typeOf(one.value) === typeOf(other.value);
const sameChoice = (one: Choice, other: Choice): boolean => one.path === other.path
  && one.mechanism === other.mechanism && typeOf(one.value) === typeOf(other.value)
  && (one.value === null) === (other.value === null);

function alike<T>(one: readonly T[], other: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((each, k) => same(each, other[k]!));
}

/**
 * The same object as long as the same is chosen: a number that moves, which a knob shows by itself, wakes nobody who
 * reads this. The values in it are those of the moment when something was chosen.
 */
export function chosenIn(store: Store): ReadonlySignal<Chosen> {
  let before: Chosen | undefined;
  let spoken: number | undefined;
  return computed(() => {
    const { book, documents: { document }, view: { words } } = store;
    const now: Chosen = { model: isModel(document), members: membersOf(document), choices: book.choices(document) };
    const holds = before !== undefined && spoken === words && before.model === now.model
      && alike(before.members, now.members, sameMember) && alike(before.choices, now.choices, sameChoice);
    spoken = words;
    return (before = holds ? before! : now);
  });
}
