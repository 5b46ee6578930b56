// SPDX-License-Identifier: Apache-2.0
import type { Point } from '../cost/fit.ts';

export type Crossing = { kind: 'from'; n: number } | { kind: 'always' | 'never' };

/**
 * From which size on B stays below A, on lines between the sizes that both have; both axes logarithmic. Lines that were
 * measured and change places more than once do so by noise, which has no crossing to name.
 */
export function crossing(a: readonly Point[], b: readonly Point[], measured = false): Crossing | undefined {
  const both = a.flatMap((one) => {
    const other = b.find(({ n }) => n === one.n);
    return other && one.value > 0 && other.value > 0 ? [{ n: one.n, gap: Math.log(one.value / other.value) }] : [];
  });
  if (both.length < 2) return undefined;
  const below = both.map(({ gap }) => gap > 0);
  if (measured && below.filter((one, k) => k > 0 && one !== below[k - 1]).length > 1) return undefined;
  // Where only small sizes have B below A, there is neither a size to begin at nor none at all.
  if (!below.at(-1)) return below.includes(true) ? undefined : { kind: 'never' };
  const last = both.findLastIndex(({ gap }) => gap <= 0);
  if (last < 0) return { kind: 'always' };
  const [from, to] = [both[last]!, both[last + 1]!];
  return { kind: 'from', n: from.n * (to.n / from.n) ** (-from.gap / (to.gap - from.gap)) };
}

/** A crossing between doubled sizes is good for two digits: the next such number of words, from which on it holds. */
export const near = (n: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(n)) - 1);
  // A crossing at a whole number is found with an error of rounding.
  return Math.ceil(n / unit - 1e-9) * unit;
};

/** Where a line that grows like another would go on: through its last point, as the other rises. */
export function goOn(points: readonly Point[], like: readonly Point[]): Point[] {
  const last = points.at(-1);
  const there = last && like.find(({ n }) => n === last.n);
  if (!last || !there || there.value <= 0) return [];
  const later = like.filter(({ n }) => n > last.n)
    .map(({ n, value }) => ({ n, value: (last.value * value) / there.value }));
  return later.length > 0 ? [last, ...later] : [];
}
