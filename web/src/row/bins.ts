// SPDX-License-Identifier: Apache-2.0
import type { Feed, Target } from '../engine/types.ts';
import type { LeftOut } from '../engine/result.ts';
import { isMask } from '../directory/naming.ts';
import { isKey } from '../directory/places.ts';
import { isMap } from '../directory/typed.ts';

export type { LeftOut };

/** What was left out and can be had row by row: maps from queries to keys, by module. */
export function mapsLeft(left: readonly LeftOut[] | undefined): Map<string, LeftOut[]> {
  const found = new Map<string, LeftOut[]>();
  for (const entry of left ?? []) {
    const module = entry.within ?? '';
    if (!isMap(entry) || !isKey(entry.places.at(-1) ?? '')) continue;
    found.set(module, [...(found.get(module) ?? []), entry]);
  }
  // A mask alone tells nothing.
  for (const [module, maps] of found) if (maps.every(isMask)) found.delete(module);
  return found;
}

/** Whether all results that were left out can be had row by row (masks go along with their maps). */
export function areRowsOfMaps(left: readonly LeftOut[]): boolean {
  const had = new Set([...mapsLeft(left).values()].flat());
  return left.every((entry) => entry.group === 'parameters' || had.has(entry));
}

/** For each of `columns` strips of a row the key of the largest number in it: no peak is lost. */
export function tallest(values: Float32Array, columns: number): Uint32Array {
  const keys = new Uint32Array(columns);
  for (let x = 0; x < columns; x++) {
    const [from, to] = [Math.floor((x * values.length) / columns), Math.floor(((x + 1) * values.length) / columns)];
    let best = from;
    for (let j = from + 1; j < to; j++) if (Math.abs(values[j]!) > Math.abs(values[best]!)) best = j;
    keys[x] = best;
  }
  return keys;
}

/** The lowest and the highest number of a strip, 0 among them: bars stand on 0. */
export function ends(values: Float32Array, x: number, columns: number): [number, number] {
  const [from, to] = [Math.floor((x * values.length) / columns), Math.floor(((x + 1) * values.length) / columns)];
  let [low, high] = [Math.min(0, values[from]!), Math.max(0, values[from]!)];
  for (let j = from + 1; j < to; j++) {
    low = Math.min(low, values[j]!);
    high = Math.max(high, values[j]!);
  }
  return [low, high];
}

/** The keys with the largest numbers, largest first. */
export function largest(values: Float32Array, count: number): number[] {
  const best: number[] = [];
  values.forEach((value, j) => {
    if (best.length === count && !(value > values[best.at(-1)!]!)) return;
    const at = best.findIndex((k) => value > values[k]!);
    best.splice(at < 0 ? best.length : at, 0, j);
    best.length = Math.min(count, best.length);
  });
  return best;
}

/** Whether a cell lies in this map. */
export const inMap = (map: LeftOut, target: Target | undefined): target is Target =>
  target?.group === map.group && target.tensor === map.name && target.index.length === map.shape.length;

/** Whether the whole row is what the chosen cell was computed from. */
export const feeds = (lit: readonly Feed[] | undefined, map: LeftOut): boolean =>
  !!lit?.some((feed) => feed.group === map.group && feed.tensor === map.name);
