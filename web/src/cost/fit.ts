// SPDX-License-Identifier: Apache-2.0

export interface Point {
  n: number;
  value: number;
}

// Small sizes show what a run costs whatever its size; the growth is read from the largest.
const LAST = 4;

// By how much a logarithm may miss the line: beyond that the sizes do not grow by one law, or were measured badly.
const MISSES = 0.3;

/**
 * The exponent b of value = a n^b through the largest sizes, by least squares of the logarithms; nothing where they do
 * not lie on one line.
 */
export function growth(points: Point[]): { exponent: number; from: number; scale: number } | undefined {
  const last = points.filter(({ value }) => value > 0).slice(-LAST);
  if (last.length < LAST) return undefined;
  const xs = last.map(({ n }) => Math.log(n));
  const ys = last.map(({ value }) => Math.log(value));
  const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const [x, y] = [mean(xs), mean(ys)];
  const across = xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
  const exponent = xs.reduce((sum, one, k) => sum + (one - x) * (ys[k]! - y), 0) / across;
  if (xs.some((one, k) => Math.abs(ys[k]! - y - exponent * (one - x)) > MISSES)) return undefined;
  return { exponent, from: last[0]!.n, scale: Math.exp(y - exponent * x) };
}

/** The sizes before a larger one gives less: from there on the engine keeps no whole maps, and grows otherwise. */
export function rising(points: Point[]): Point[] {
  const end = points.findIndex(({ value }, k) => k > 0 && value < points[k - 1]!.value);
  return end < 0 ? points : points.slice(0, end);
}

/** A size from which on results are no longer kept, and the size before it if memory falls between them. */
export interface Leaving {
  n: number;
  names: string[];
  before?: number;
}

/** Where the engine begins to leave results out, and which ones. */
export function leavings(samples: readonly { n: number; numbers: number; left?: string[] }[]): Leaving[] {
  const known = new Set<string>();
  return samples.flatMap(({ n, numbers, left = [] }, k) => {
    const names = left.filter((name) => !known.has(name));
    for (const name of names) known.add(name);
    const last = samples[k - 1];
    return names.length === 0 ? [] : [{ n, names, ...(last && numbers < last.numbers ? { before: last.n } : {}) }];
  });
}
