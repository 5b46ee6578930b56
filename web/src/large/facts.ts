// SPDX-License-Identifier: Apache-2.0
import type { Plane } from '../engine/result.ts';

/** What one row of weights says at a glance. */
export interface RowFacts {
  /** In bits. Weights below zero or above a sum of 1 are taken as they are, as the engine does it. */
  entropy: number;
  /** How many weights are not zero. */
  support: number;
  /** The column of the largest weight, and that weight. */
  at: number;
  value: number;
}

export function factsOf(plane: Plane, row: number): RowFacts {
  const facts: RowFacts = { entropy: 0, support: 0, at: 0, value: -Infinity };
  for (let col = 0; col < plane.cols; col++) {
    const weight = plane.at(row, col);
    if (weight > 0) facts.entropy -= weight * Math.log2(weight);
    if (weight !== 0) facts.support++;
    if (weight > facts.value) [facts.at, facts.value] = [col, weight];
  }
  return facts;
}
