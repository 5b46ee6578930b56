// SPDX-License-Identifier: Apache-2.0
// Lists may be as long as a document or a training makes them: as the arguments of a call, as in `Math.max(...list)`,
// more than some 120,000 values throw.

/** The largest of all; `least` where none is larger. NaN if one is. */
export function maximum(values: Iterable<number>, least = -Infinity): number {
  return values instanceof Float32Array ? ends(values, least, least)[1] : reduced(values, least, Math.max);
}

/** The smallest of all; `most` where none is smaller. NaN if one is. */
export function minimum(values: Iterable<number>, most = Infinity): number {
  return values instanceof Float32Array ? ends(values, most, most)[0] : reduced(values, most, Math.min);
}

function reduced(values: Iterable<number>, start: number, join: (a: number, b: number) => number): number {
  let found = start;
  for (const value of values) found = join(found, value);
  return found;
}

/** Both at once, of the numbers of a tensor: they are asked for at every move of a slider, and may be many. */
export function ends(values: Float32Array, least: number, most: number): [least: number, most: number] {
  let [low, high] = [least, most];
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!;
    if (value < low) low = value;
    else if (value > high) high = value;
    else if (Number.isNaN(value)) return [NaN, NaN];
  }
  return [low, high];
}

/** Puts all these at the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The numbers of all these, one behind the other. */
export function joined<Numbers extends Uint8Array | Float32Array>(parts: readonly Numbers[],
  make: new (length: number) => Numbers): Numbers {
  const whole = new make(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Items with the same text together, in the order in which each text first comes. */
export function grouped<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = by(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
