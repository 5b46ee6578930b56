// SPDX-License-Identifier: Apache-2.0
import type { FusedModule } from '../fused.mjs';
import { hasRelaxed } from '../relaxed.ts';
import type { FusedOptions } from './types.ts';

type Create<Module> = (options?: { locateFile?: () => string }) => Promise<Module>;

/** A small module in the build that runs here. */
export async function loadEither<Module>(
  { wasmUrl, relaxedWasmUrl, build }: FusedOptions,
  files: Record<'relaxed' | 'plain', () => Promise<{ default: Create<Module> }>>,
): Promise<{ module: Module; build: 'relaxed' | 'plain' }> {
  const only = wasmUrl !== undefined && relaxedWasmUrl === undefined;
  const chosen = build ?? (hasRelaxed() && !only ? 'relaxed' : 'plain');
  const address = chosen === 'relaxed' ? relaxedWasmUrl : wasmUrl;
  const { default: create } = await files[chosen]();
  return { module: await create(address === undefined ? {} : { locateFile: () => address }), build: chosen };
}

/** That of the fast kernels. Two imports, so that bundlers see both files. */
export function loadModule(options: FusedOptions): Promise<{ module: FusedModule; build: 'relaxed' | 'plain' }> {
  return loadEither<FusedModule>(options,
    { relaxed: () => import('../fused-relaxed.mjs'), plain: () => import('../fused.mjs') });
}

const ALIGNED = 16; // words: a cache line

/** One piece of the module's memory, taken once and grown when a call needs more. */
export class Arena {
  private address = 0;
  private capacity = 0;

  constructor(readonly module: Pick<FusedModule, '_malloc' | '_free'>) {}

  /** Room for blocks of so many words; returns the addresses in words, and writes the last one's end first. */
  lay(sizes: readonly number[], into: Int32Array): void {
    let words = 0;
    for (const size of sizes) words += Math.ceil(size / ALIGNED) * ALIGNED;
    if (words > this.capacity) this.grow(words);
    let at = Math.ceil(this.address / (4 * ALIGNED)) * ALIGNED;
    for (let i = 0; i < sizes.length; i++) {
      into[i] = at;
      at += Math.ceil(sizes[i]! / ALIGNED) * ALIGNED;
    }
  }

  free(): void {
    if (this.address !== 0) this.module._free(this.address);
    this.address = 0;
    this.capacity = 0;
  }

  private grow(words: number): void {
    this.free();
    this.address = take(this.module, words + ALIGNED);
    this.capacity = words;
  }
}

/** Memory of so many words; throws when there is none. */
export function take(module: Pick<FusedModule, '_malloc' | '_free'>, words: number): number {
  const address = module._malloc(4 * words);
  if (address === 0) throw new RangeError(`no memory for ${4 * words} bytes`);
  return address;
}
