// SPDX-License-Identifier: Apache-2.0
// Knobs that change nothing while another knob of their mechanism is set as it is: tools/idle_knobs.mjs finds them by
// moving each one and comparing what comes out.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { get, join } from '../engine/pointer.ts';
import type { Json, Mechanism } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import type { Chosen } from './module-choices.ts';
import found from './idle-knobs.json';

/** By mechanism, choice and its value, the names of the knobs that it leaves idle. */
const IDLE: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> = found;

/** The knobs of a mechanism that change nothing now; `given`: the values that the document gives its knobs. */
export function idleKnobs({ id, knobs }: Pick<Mechanism, 'id' | 'knobs'>,
  given: (name: string) => Json | undefined): string[] {
  const names = Object.entries(IDLE[id] ?? {}).flatMap(([choice, values]) => {
    const knob = knobs.find(({ name }) => name === choice);
    return values[String(given(choice) ?? knob?.default)] ?? [];
  });
  return [...new Set(names)];
}

/** The paths of all such knobs of a document: the same text as long as they are the same. */
export const idleIn = (store: Store, chosen: () => Chosen): ReadonlySignal<string> => computed(() => {
  const { book, documents: { document } } = store;
  const { members, choices } = chosen();
  const all = [...members.map(({ path, value }) => ({ path, mechanism: book.member(value) })), ...choices];
  return all.flatMap(({ path, mechanism }) => (mechanism && mechanism.id in IDLE
    ? idleKnobs(mechanism, (name) => get(document, path + join(name))).map((name) => path + join(name))
    : [])).join('\n');
});
