// SPDX-License-Identifier: Apache-2.0
import { Inflate } from 'fflate';

/** It inflates to more than it may. */
export class TooLarge extends Error {}

// Small bites, so that a bomb is noticed before it has filled the memory.
const BITE = 4096;

/** Inflates bytes that nobody vouches for; throws where they are damaged, and TooLarge where they hold too much. */
export function inflated(packed: Uint8Array, most: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((piece) => {
    size += piece.length;
    if (size > most) throw new TooLarge(`more than ${most} bytes`);
    pieces.push(piece);
  });
  for (let at = 0; at < packed.length; at += BITE)
    stream.push(packed.subarray(at, at + BITE), at + BITE >= packed.length);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
