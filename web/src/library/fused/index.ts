// SPDX-License-Identifier: Apache-2.0
// The fast kernels by themselves: attention over Float32Arrays, one call, without documents.
import { Direct } from './direct.ts';
import { loadModule } from './memory.ts';
import { Modules } from './module.ts';
import type { Fused, FusedOptions } from './types.ts';

export { loadPool, type Pool, type PoolOptions } from './pool.ts';
export type * from './types.ts';

/** Loads the build that the browser can run: relaxed SIMD, or plain. */
export async function loadFused(options: FusedOptions = {}): Promise<Fused> {
  const { module, build } = await loadModule(options);
  const direct = new Direct(module);
  const modules = new Modules(module);
  return {
    build,
    attention: (input) => direct.attention(input),
    attentionGradient: (input) => direct.attentionGradient(input),
    attentionRow: (input) => direct.attentionRow(input),
    multiHead: (input) => modules.multiHead(input),
    keep: (weights, width) => modules.keep(weights, width),
    release() {
      direct.release();
      modules.release();
    },
  };
}
