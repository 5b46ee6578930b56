// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from './types.ts';

/** JSON pointers (RFC 6901), the addresses that the engine's errors carry. */
export function split(path: string): string[] {
  if (path === '') return [];
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function join(...parts: (string | number)[]): string {
  return parts
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export function get(root: Json | undefined, path: string): Json | undefined {
  let at: Json | undefined = root;
  for (const part of split(path)) {
    if (at === null || typeof at !== 'object') return undefined;
    if (!Object.hasOwn(at, part)) return undefined;
    at = (at as JsonObject)[part];
  }
  return at;
}

/** Sets a value, making objects on the way; undefined removes the member. */
export function set(root: JsonObject, path: string, value: Json | undefined): void {
  const parts = split(path);
  const last = parts.pop();
  if (last === undefined) return;
  let at = root;
  for (const part of parts) {
    const inner = Object.hasOwn(at, part) ? at[part] : undefined;
    // A choice written as a bare id opens into an object when one of its knobs is set.
    if (typeof inner === 'string') at[part] = { type: inner };
    else if (inner === null || typeof inner !== 'object') at[part] = {};
    at = at[part] as JsonObject;
  }
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}

/** Which control answers for an error: the one whose path is the longest beginning of it. */
export function ownerOf(error: string, controls: Iterable<string>): string | undefined {
  let best: string | undefined;
  for (const path of controls) {
    const inside = error === path || error.startsWith(`${path}/`);
    if (inside && (best === undefined || path.length > best.length)) best = path;
  }
  return best;
}

/** Whether a JSON value is an object, and no list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
