// SPDX-License-Identifier: Apache-2.0
import { axisOf, type Typed } from '../directory/typed.ts';
import type { Plane } from '../engine/result.ts';

const MOST = 512;

/** Whether it is a map of tokens on themselves: as many queries as keys, and the same words along both. */
export function isSquare(typed: Typed, shape: readonly number[]): boolean {
  const [query, key] = [axisOf(typed, 'query'), axisOf(typed, 'key')];
  if (query < 0 || key < 0 || typed.kind === 'index' || shape[query] !== shape[key] || shape[query]! > MOST
    || shape[query]! < 2) return false;
  const [one, other] = [typed.dimensions[query]!.labels, typed.dimensions[key]!.labels];
  return one === other || one === undefined || other === undefined;
}

// What a sum of some hundred terms leaves of 0.
const NOTHING = 1e-7;

/** Who is reached in one step and, being reached by those, in two: 1 and 2, else 0. */
export function reached(plane: Plane): Uint8Array {
  const n = plane.rows;
  const found = new Uint8Array(n * n);
  const next: number[][] = Array.from({ length: n }, () => []);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (Math.abs(plane.at(i, j)) > NOTHING) next[i]!.push(j);
  for (let i = 0; i < n; i++) {
    for (const j of next[i]!) for (const k of next[j]!) found[i * n + k] = 2;
    for (const j of next[i]!) found[i * n + j] = 1;
  }
  return found;
}

/** The mean of the sizes of weights at each distance key − query, from −(n − 1) to n − 1. */
export function byDistance(plane: Plane): { distance: number; weight: number }[] {
  const n = plane.rows;
  return Array.from({ length: 2 * n - 1 }, (_, at) => {
    const distance = at - n + 1;
    let [sum, count] = [0, 0];
    for (let i = Math.max(0, -distance); i < Math.min(n, n - distance); i++) {
      sum += Math.abs(plane.at(i, i + distance));
      count++;
    }
    return { distance, weight: sum / Math.max(1, count) };
  });
}

/** The group of each row among rows that are the same to the last digits of single precision. */
export function groupsOf(plane: Plane): number[] {
  const known = new Map<string, number>();
  return Array.from({ length: plane.rows }, (_, i) => {
    const key = Array.from({ length: plane.cols }, (__, j) => plane.at(i, j).toPrecision(4)).join();
    if (!known.has(key)) known.set(key, known.size);
    return known.get(key)!;
  });
}
