// SPDX-License-Identifier: Apache-2.0
import { mapOf } from '../elements/tensor.ts';
import type { Plane } from '../engine/result.ts';

const planes = new Map<number, Plane>();

/** A map of n by n cells without numbers: the shape of what is still to come. */
export function grid(n: number): Plane {
  let plane = planes.get(n);
  if (!plane) {
    plane = mapOf(new Float32Array(n * n), n, n);
    planes.set(n, plane);
  }
  return plane;
}
