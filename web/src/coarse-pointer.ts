// SPDX-License-Identifier: Apache-2.0

/** Matches where the reader points with a finger, which has no arrow keys and hovers over nothing. */
export const coarse = matchMedia('(pointer: coarse)');
