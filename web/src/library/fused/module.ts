// SPDX-License-Identifier: Apache-2.0
import { Arena, take } from './memory.ts';
import type { FusedModule } from '../fused.mjs';
import { MODULE_WORDS } from './record.ts';
import type { Results } from './results.ts';
import { fail, moduleShape, numbers, offsetOf, reach, size, stridesOf } from './shape.ts';
import type { AttentionOutput, KeptProjections, MultiHeadInput, Projections } from './types.ts';

const NAMES = ['q', 'k', 'v', 'o'] as const;

/** The four matrices in the module's memory, one after the other. */
class Kept implements KeptProjections {
  address: number;

  constructor(readonly module: FusedModule, weights: Projections, readonly width: number) {
    const area = size('width', width, 1) ** 2;
    for (const name of NAMES) numbers(`weights.${name}`, weights[name], area);
    this.address = take(module, 4 * area);
    NAMES.forEach((name, i) => module.HEAPF32.set(weights[name], this.address / 4 + i * area));
  }

  free(): void {
    if (this.address !== 0) this.module._free(this.address);
    this.address = 0;
  }
}

/** Calls of the multi-head module with its projections. */
export class Modules {
  private readonly arena: Arena;
  private readonly addresses = new Int32Array(9);

  constructor(private readonly module: FusedModule, private readonly results: Results) {
    this.arena = new Arena(module);
  }

  keep(weights: Projections, width: number): KeptProjections {
    return new Kept(this.module, weights, width);
  }

  multiHead(input: MultiHeadInput): AttentionOutput {
    const { m, n, width, heads } = moduleShape(input);
    const { x, y, bias, mask, weights, out } = input;
    if (out !== undefined) numbers('out', out, m * width);
    const biasStrides = bias && stridesOf('bias', bias, { heads, m, n });
    const maskStrides = mask && stridesOf('mask', mask, { heads, m, n });
    const [before, after] = reach(input);
    const offset = offsetOf(input);
    const area = width * width;
    const kept = weights instanceof Kept ? weights : undefined;
    if (kept && (kept.module !== this.module || kept.address === 0))
      fail('weights', 'projections that keep() of this engine gave and that are not freed', 'others');
    if (kept && kept.width !== width) fail('width', `that of the kept projections, ${kept.width}`, width);
    if (typeof weights !== 'object' || weights === null) fail('weights', 'projections q, k, v and o', weights);
    const given = kept ? undefined : (weights as Projections);
    if (given) for (const name of NAMES) numbers(`weights.${name}`, given[name], area);

    const sizes = [MODULE_WORDS, m * width, y ? n * width : 0, given ? 4 * area : 0, bias?.length ?? 0,
      mask?.length ?? 0, m * width, heads * m, heads * m];
    this.arena.lay(sizes, this.addresses);
    const [record, xAt, yAt, weightsAt, biasAt, maskAt, outAt, largest, sum] =
      this.addresses as unknown as [number, number, number, number, number, number, number, number, number];
    const memory = this.module.HEAPF32;
    memory.set(x, xAt);
    if (y) memory.set(y, yAt);
    if (given) NAMES.forEach((name, i) => memory.set(given[name], weightsAt + i * area));
    if (bias) memory.set(bias, biasAt);
    if (mask) memory.set(mask, maskAt);
    const first = kept ? kept.address / 4 : weightsAt;
    const addresses = [xAt, y ? yAt : xAt, ...NAMES.map((_, i) => first + i * area), outAt].map((words) => 4 * words);
    this.module.HEAP32.set([
      m, n, width, heads, ...addresses, before, after, offset,
      bias ? 4 * biasAt : 0, ...(biasStrides ?? [0, 0]), mask ? 4 * maskAt : 0, ...(maskStrides ?? [0, 0]), 4 * largest,
      4 * sum,
    ], record);
    this.module._fused_multi_head(4 * record);
    // The call may have grown the memory, which makes new views of it.
    const grown = this.module.HEAPF32;
    const copy = (at: number, length: number) => this.results.copy(grown, at, length);
    out?.set(grown.subarray(outAt, outAt + m * width));
    return { output: out ?? copy(outAt, m * width), largest: copy(largest, heads * m), sum: copy(sum, heads * m) };
  }

  release(): void {
    this.arena.free();
  }
}
