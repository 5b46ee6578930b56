// SPDX-License-Identifier: Apache-2.0
import { countsRows } from '../controls/knob-range.ts';
import type { Knob, Mechanism } from '../engine/types.ts';

const MOST = 8;

const ranged = (knob: Knob): knob is Knob & { minimum: number; maximum: number } =>
  (knob.type === 'integer' || knob.type === 'number') && typeof knob.minimum === 'number'
    && typeof knob.maximum === 'number' && knob.maximum > knob.minimum;

/** The knobs that a form's cost and error are tuned by: numbers with a range, in the record's order. */
export const tunable = (mechanism: Mechanism): Knob[] => mechanism.knobs.filter(ranged);

/**
 * Places of a knob of this mechanism to try: powers of two for whole numbers (what has to divide, divides), else even
 * steps; the one that is set among them.
 */
export function valuesOf(mechanism: Mechanism, knob: Knob, keys: number, now: number | undefined): number[] {
  if (!ranged(knob)) return [];
  const { minimum, maximum } = knob;
  const found = new Set<number>(now === undefined ? [] : [now]);
  if (knob.type === 'integer') {
    // More of something than there are tokens changes nothing, or is refused; features may be more.
    const tokens = knob.scale !== 'log' || countsRows(mechanism, knob);
    const top = tokens ? Math.min(maximum, keys) : maximum;
    for (let value = 1; value <= top; value *= 2) if (value >= minimum) found.add(value);
    if (tokens && keys <= top && keys >= minimum) found.add(keys);
  } else {
    for (let k = 0; k < MOST; k++) {
      const share = k / (MOST - 1);
      const value = knob.scale === 'log' && minimum > 0 ? minimum * (maximum / minimum) ** share
        : minimum + share * (maximum - minimum);
      found.add(Number(value.toPrecision(3)));
    }
  }
  return [...found].filter((value) => value >= minimum || value === now).toSorted((a, b) => a - b);
}
