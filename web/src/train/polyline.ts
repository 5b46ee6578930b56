// SPDX-License-Identifier: Apache-2.0
// Lines over lists that grow while somebody watches.

/** Long lists are drawn by so many points. */
const POINTS = 600;

export interface Drawing<T> {
  across: (one: T) => number;
  /** Undefined where there is nothing to draw. */
  down: (one: T) => number | undefined;
  /** Says what `across` and `down` depend on: by another one every point lies elsewhere. */
  scale: string;
}

interface Known {
  key: string;
  /** So many of the list are in the text, and so many points. */
  taken: number;
  text: string;
}

const known = new WeakMap<readonly unknown[], Map<string, Known>>();

/** How many points were computed so far: a line that only grew costs as many as it grew by. */
export const counted = { points: 0 };

function written<T>(one: T, { across, down }: Drawing<T>): string {
  const y = down(one);
  if (y === undefined) return '';
  counted.points++;
  return ` ${across(one).toFixed(1)},${y.toFixed(1)}`;
}

/** Every how-manieth of a list is drawn; the last always is. */
export const thinning = (length: number): number => Math.max(1, Math.ceil(length / POINTS));

/** The points of a line, as an attribute; `name` tells the lines over one list from each other. */
export function points<T>(list: readonly T[], name: string, drawing: Drawing<T>): string {
  if (list.length === 0) return '';
  const by = thinning(list.length);
  const key = `${by} ${drawing.scale}`;
  const lines = known.get(list) ?? new Map<string, Known>();
  known.set(list, lines);
  const before = lines.get(name);
  const line = before && before.key === key && before.taken <= list.length ? before : { key, taken: 0, text: '' };
  lines.set(name, line);
  for (let k = line.taken; k < list.length; k++) if (k % by === 0) line.text += written(list[k]!, drawing);
  line.taken = list.length;
  const last = list.length - 1;
  return (line.text + (last % by === 0 ? '' : written(list[last]!, drawing))).slice(1);
}

interface Range {
  taken: number;
  least: number;
  most: number;
}
const ranges = new WeakMap<readonly unknown[], Map<string, Range>>();

/** The least and the largest number that a list gives; infinite ones where it gives none. */
export function range<T>(list: readonly T[], name: string, of: (one: T) => number | undefined): [number, number] {
  const all = ranges.get(list) ?? new Map<string, Range>();
  ranges.set(list, all);
  const before = all.get(name);
  const own = before && before.taken <= list.length ? before : { taken: 0, least: Infinity, most: -Infinity };
  all.set(name, own);
  for (; own.taken < list.length; own.taken++) {
    const value = of(list[own.taken]!);
    if (value === undefined || !Number.isFinite(value)) continue;
    own.least = Math.min(own.least, value);
    own.most = Math.max(own.most, value);
  }
  return [own.least, own.most];
}
