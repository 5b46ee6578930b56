// SPDX-License-Identifier: Apache-2.0
// The fast kernels by themselves: attention over Float32Arrays, one call, without documents.
import { fusedWith } from './engine.ts';
import { Slab } from './results.ts';
import type { Fused, FusedOptions } from './types.ts';

export { loadPool, type Pool, type PoolOptions } from './pool.ts';
export type * from './types.ts';

/** Loads the build that the browser can run: relaxed SIMD, or plain. */
export function loadFused(options: FusedOptions = {}): Promise<Fused> {
  return fusedWith(new Slab(), options);
}
