// SPDX-License-Identifier: Apache-2.0
// The efficient forms by themselves, over Float32Arrays, as ../index.ts has softmax attention.
import { loadEither } from '../memory.ts';
import { Slab } from '../results.ts';
import type { FusedOptions } from '../types.ts';
import { Calls } from './calls.ts';
import type { Efficient } from './types.ts';
import type { EfficientModule } from '../../efficient.mjs';

export { bigBird } from './bigbird.ts';
export type * from './types.ts';
export type { FusedOptions } from '../types.ts';

/** Loads the build that the browser can run: relaxed SIMD, or plain. */
export async function loadEfficient(options: FusedOptions = {}): Promise<Efficient> {
  const { module, build } = await loadEither<EfficientModule>(options,
    { relaxed: () => import('../../efficient-relaxed.mjs'), plain: () => import('../../efficient.mjs') });
  const calls = new Calls(module, new Slab());
  return { build, attention: (input) => calls.run(input), attentionGradient: (input) => calls.gradient(input),
    release: () => calls.release() };
}
