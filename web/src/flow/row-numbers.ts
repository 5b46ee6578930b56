// SPDX-License-Identifier: Apache-2.0
import type { Plane } from '../engine/result.ts';

/** What one row of weights says at a glance. */
export interface RowFacts {
  /**
   * In bits; weights that add up to more than 1 are taken as they are, as the engine does it. Undefined where a weight
   * is below zero: such numbers are no shares.
   */
  entropy: number | undefined;
  /** How many weights are above zero, as the engine counts them for the whole matrix. */
  support: number;
  /** The column of the largest weight, and that weight. */
  at: number;
  value: number;
}

export function factsOf(plane: Plane, row: number): RowFacts {
  const facts: RowFacts = { entropy: undefined, support: 0, at: 0, value: -Infinity };
  let [bits, signed] = [0, false];
  for (let col = 0; col < plane.cols; col++) {
    const weight = plane.at(row, col);
    if (weight > 0) {
      bits -= weight * Math.log2(weight);
      facts.support++;
    } else if (weight < 0) signed = true;
    if (weight > facts.value) [facts.at, facts.value] = [col, weight];
  }
  return signed ? facts : { ...facts, entropy: bits };
}
