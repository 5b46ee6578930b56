// SPDX-License-Identifier: Apache-2.0
import { fail, size } from '../shape.ts';
import type { Blocks } from './types.ts';

/**
 * BigBird's pattern over n tokens in blocks: `window` blocks to each side, the first `global` blocks as rows and as
 * columns, and those that `random(b)` names for block b.
 */
export function bigBird(of: { n: number; size: number; window?: number; global?: number;
  random?: (block: number) => readonly number[]; causal?: boolean }): Blocks {
  const { window = 1, global = 1, random, causal = false } = of;
  const count = Math.ceil(size('n', of.n) / size('size', of.size, 1));
  size('window', window);
  size('global', global);
  const lists = Array.from({ length: count }, (_, b) => {
    if (b < global) return Array.from({ length: count }, (_, c) => c);
    const seen = new Set<number>();
    for (let c = 0; c < Math.min(global, count); c++) seen.add(c);
    for (let c = Math.max(0, b - window); c <= Math.min(count - 1, b + window); c++) seen.add(c);
    for (const c of random?.(b) ?? []) {
      if (size('random', c) >= count) fail('random', `blocks below ${count}`, c);
      seen.add(c);
    }
    return [...seen].sort((x, y) => x - y);
  });
  return { kind: 'blocks', size: of.size, lists, causal };
}
