// SPDX-License-Identifier: Apache-2.0
import { join, split } from './pointer.ts';
import type { Json, JsonObject } from './types.ts';

const isBranch = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null;

// An object that gained members has each added; one that lost any is replaced, for a change has no word for that. A
// member may have a name that every object has besides, such as "valueOf".
const keepsMembers = (before: JsonObject, after: JsonObject): boolean =>
  Object.keys(before).every((key) =>
    before[key] === undefined || (Object.hasOwn(after, key) && after[key] !== undefined));

/**
 * Where a document differs from an earlier one: {pointer: value}, as `change` of a session takes it. Documents are
 * values that share what an edit left alone, so that equal branches are mostly the same object. A list of another
 * length, and an object that lost members, are given whole.
 */
export function difference(before: Json, after: Json): Record<string, Json> {
  const found: Record<string, Json> = {};
  const list = (one: Json | undefined, other: Json, path: string): void => {
    if (one === other) return;
    const alike = isBranch(one) && isBranch(other) && Array.isArray(one) === Array.isArray(other)
      && (Array.isArray(one) ? one.length === (other as unknown as Json[]).length : keepsMembers(one, other));
    if (!alike) {
      found[path] = other;
      return;
    }
    for (const key of Object.keys(other))
      if (other[key] !== undefined) list((one as JsonObject)[key], other[key]!, path + join(key));
  };
  list(before, after, '');
  return found;
}

const changed = (at: Json | undefined, [first, ...rest]: string[], value: Json): Json => {
  if (first === undefined) return value;
  const copy = (Array.isArray(at) ? [...at] : { ...(at as JsonObject) }) as JsonObject;
  copy[first] = changed(copy[first], rest, value);
  return copy as Json;
};

/** The document after such changes; it shares what they left alone. */
export const withChanges = (document: Json, changes: Record<string, Json>): Json =>
  Object.entries(changes).reduce<Json>((at, [pointer, value]) => changed(at, split(pointer), value), document);
