// SPDX-License-Identifier: Apache-2.0
// How far the axis of bars and lines goes, and where a number lies on it.

/** The lowest and the highest finite number, zero among them. */
export function reach(values: Iterable<number>): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const value of values) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low === high ? [low, low + 1] : [low, high];
}

/** A number where an axis has room for it: what lies beyond is at its end, what is no number at zero. */
export const within = (value: number, low: number, high: number): number =>
  (Number.isNaN(value) ? 0 : Math.min(high, Math.max(low, value)));

/**
 * How much of a place is hidden that gets this share of the largest: what is not looked at fades, so that the seen
 * stays seen.
 */
export const veil = (share: number): number => 1 - share;
