// SPDX-License-Identifier: Apache-2.0
import { Plane } from '../engine/result.ts';

const planes = new Map<number, Plane>();

/** A map of n by n cells without numbers: the shape of what is still to come. */
export function grid(n: number): Plane {
  let plane = planes.get(n);
  if (!plane) {
    plane = new Plane({ group: 'outputs', name: '', shape: [n, n], axes: ['', ''], offset: 0, places: ['', ''],
      data: new Float32Array(n * n) }, 0, 1, [0, 0]);
    planes.set(n, plane);
  }
  return plane;
}
