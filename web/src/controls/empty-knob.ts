// SPDX-License-Identifier: Apache-2.0
// What is used where a knob is left empty, read from the numbers of the step that it goes into.
import { html, nothing } from 'lit';
import { exactly } from '../colour/numbers.ts';
import { type Result, valueAt } from '../engine/result.ts';
import type { Knob, Mechanism } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { words } from './knob-words.ts';

// By mechanism and knob: the step whose cells are the number of a head times the distance of query and key.
const BY_DISTANCE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pos-alibi': { slopes: 'm|i-j|' },
};

/** The numbers that stand in for an empty knob, one for each head; undefined where no step tells them. */
export function insteadOf(result: Result | undefined, mechanism: string, knob: string, path: string):
  number[] | undefined {
  const name = BY_DISTANCE[mechanism]?.[knob];
  const [module] = (result?.directory.modules ?? [])
    .filter((one) => one.path !== undefined && path.startsWith(one.path))
    .toSorted((a, b) => b.path!.length - a.path!.length);
  const step = name === undefined || !module ? undefined
    : result?.all('steps').find((one) => one.name === name && (one.module ?? '') === module.name);
  // The first query and the key beside it are one position apart.
  if (!step || (step.shape.at(-1) ?? 0) < 2) return undefined;
  const heads = step.shape.slice(0, -2);
  const count = heads.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, head) => {
    let rest = head;
    const index = heads.toReversed().map((size) => {
      const at = rest % size;
      rest = Math.floor(rest / size);
      return at;
    }).toReversed();
    return valueAt(step, [...index, 0, 1]);
  });
}

/** Below a matrix that may be left out, and is, what is used then. */
export function insteadSaid(store: Store, of: Mechanism | undefined,
  { type, name }: Knob, path: string): unknown {
  const numbers = type === 'matrix' && of && store.value(path) === undefined
    ? insteadOf(store.sessions.result, of.id, name, path) : undefined;
  return numbers ? html`<div class="below note" data-part="instead">${
    words().usedInstead(numbers.map((one) => exactly(one)))}</div>` : nothing;
}
