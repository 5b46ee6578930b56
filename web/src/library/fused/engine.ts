// SPDX-License-Identifier: Apache-2.0
import { Direct } from './direct.ts';
import { loadModule } from './memory.ts';
import { Modules } from './module.ts';
import type { Results } from './results.ts';
import type { Fused, FusedOptions } from './types.ts';

/** The kernels, with arrays for their results from `results`. */
export async function fusedWith(results: Results, options: FusedOptions): Promise<Fused> {
  const { module, build } = await loadModule(options);
  const direct = new Direct(module, results);
  const modules = new Modules(module, results);
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
