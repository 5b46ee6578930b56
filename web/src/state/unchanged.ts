// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from '../engine/types.ts';

const isBranch = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
// A member that is undefined is none: JSON does not write it.
const membersOf = (branch: JsonObject): string[] =>
  Object.keys(branch).filter((key) => (branch[key] as Json | undefined) !== undefined);

/**
 * The value after an edit, made of the parts that were there before wherever they are equal; the value before if all of
 * it is. So a step of the history holds what it changed and not a copy of the rest, and `===` tells whether anything
 * changed. The order of members counts, as it does in a text. `after` must belong to nobody else.
 */
export function sharing<T>(before: T, after: T): T;
export function sharing(before: unknown, after: unknown): unknown {
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  const [keys, others] = [membersOf(after), membersOf(before)];
  let same = keys.length === others.length;
  keys.forEach((key, k) => {
    const shared = sharing<Json | undefined>(before[key], after[key]);
    if (shared !== before[key] || key !== others[k]) same = false;
    else after[key] = shared!;
  });
  return same ? before : after;
}
