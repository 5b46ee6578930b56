// SPDX-License-Identifier: Apache-2.0
import { headAt } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import type { Plane } from '../engine/result.ts';

/** Facts about one map of weights, over its rows: from the numbers shown. */
export interface Facts {
  /** In bit, the mean over rows that have weight; undefined where a weight is below zero, which is no share. */
  entropy: number | undefined;
  /** Keys with a weight above 0, the mean over rows. */
  support: number;
  /** Cells that are exactly 0 though not masked, and how many are not masked. */
  zeros: number;
  unmasked: number;
}

export function factsOf(weights: Plane, mask: Plane | undefined): Facts {
  let [entropy, kept, zeros, unmasked, rows] = [0, 0, 0, 0, 0];
  let signed = false;
  for (let i = 0; i < weights.rows; i++) {
    let total = 0;
    for (let j = 0; j < weights.cols; j++) total += weights.at(i, j);
    let bits = 0;
    for (let j = 0; j < weights.cols; j++) {
      const value = weights.at(i, j);
      if (value !== 0) kept++;
      if (value < 0) signed = true;
      if (mask?.at(i, j) !== 0) {
        unmasked++;
        if (value === 0) zeros++;
      }
      const share = total > 0 ? value / total : 0;
      if (share > 0) bits -= share * Math.log2(share);
    }
    if (total > 0) {
      entropy += bits;
      rows++;
    }
  }
  return { entropy: signed ? undefined : entropy / Math.max(1, rows),
    support: kept / Math.max(1, weights.rows), zeros, unmasked };
}

export interface Gap {
  value: number;
  row: number;
  col: number;
}

/** The largest difference between two maps of one shape, and where it is. */
export function largestGap(a: Plane, b: Plane): Gap | undefined {
  if (a.rows !== b.rows || a.cols !== b.cols) return undefined;
  let best: Gap = { value: 0, row: 0, col: 0 };
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < a.cols; j++) {
      const value = Math.abs(b.at(i, j) - a.at(i, j));
      if (value > best.value) best = { value, row: i, col: j };
    }
  }
  return best;
}

/** Which of its heads a plane shows, counted from 1, of how many, and which map of it where a head has several. */
export function headShown({ tensor, held }: Plane): { head: number; count: number; map?: number } | undefined {
  const axis = tensor.places.indexOf(HEAD);
  const count = tensor.shape[axis] ?? 0;
  return count > 1 ? { ...headAt(tensor, held[axis]!), count: count / (tensor.maps ?? 1) } : undefined;
}
