// SPDX-License-Identifier: Apache-2.0
import type { Doc, JsonObject } from '../engine/types.ts';
import { get, set } from '../engine/pointer.ts';
import type { Row } from './part-differences.ts';

/** Gives a document the part of another one, in every module in which the two differ in it. */
export function give(draft: Doc, other: Doc, { path, where, a, b }: Row): void {
  for (const { a: mine, b: its } of where) {
    if (mine === undefined || its === undefined) continue;
    if (path !== '') {
      set(draft, mine + path, structuredClone(get(other, its + path)));
      continue;
    }
    // Of a module itself its settings: what feeds it and what it knows stay.
    for (const { knob } of [...(a?.details ?? []), ...(b?.details ?? [])])
      set(draft as JsonObject, `${mine}/${knob.name}`, structuredClone(get(other, `${its}/${knob.name}`)));
  }
}
