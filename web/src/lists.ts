// SPDX-License-Identifier: Apache-2.0
// Lists may be as long as a document or a training makes them: as the arguments of a call, as in `Math.max(...list)`,
// more than some 120,000 values throw.

/** The largest of all; `least` where none is larger. */
export function maximum(values: Iterable<number>, least = -Infinity): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** The smallest of all; `most` where none is smaller. */
export function minimum(values: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** Puts all these at the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
