// SPDX-License-Identifier: Apache-2.0
// Writes the records that the module reads; the numbers of the words are those of bindings/fused.h.
import type { Shape, Strides } from './shape.ts';

export const ATTENTION_WORDS = 44;
export const MODULE_WORDS = 22;

/** Where the blocks of a call lie, in words; 0 for one that is not there. */
export interface Blocks {
  q: number;
  k: number;
  v: number;
  bias: number;
  mask: number;
  out: number;
  largest: number;
  sum: number;
  upstream: number;
  dq: number;
  dk: number;
  dv: number;
  dbias: number;
}

export interface Reach {
  before: number;
  after: number;
  offset: number;
}

function matrix(words: Int32Array, at: number, block: number, [row, head]: Strides): void {
  words[at] = 4 * block;
  words[at + 1] = row;
  words[at + 2] = head;
}

const none: Strides = [0, 0];

export function writeAttention(
  words: Int32Array, floats: Float32Array, at: number, { heads, m, n, d, dv }: Shape, scale: number,
  { before, after, offset }: Reach,
  blocks: Blocks, biasStrides: Strides | undefined, maskStrides: Strides | undefined,
): void {
  words[at] = heads;
  words[at + 1] = m;
  words[at + 2] = n;
  words[at + 3] = d;
  words[at + 4] = dv;
  floats[at + 5] = scale;
  words[at + 6] = before;
  words[at + 7] = after;
  words[at + 8] = offset;
  const [queries, keys, values, outs]: Strides[] = [[d, m * d], [d, n * d], [dv, n * dv], [dv, m * dv]];
  matrix(words, at + 9, blocks.q, queries!);
  matrix(words, at + 12, blocks.k, keys!);
  matrix(words, at + 15, blocks.v, values!);
  matrix(words, at + 18, blocks.bias, biasStrides ?? none);
  matrix(words, at + 21, blocks.mask, maskStrides ?? none);
  matrix(words, at + 24, blocks.out, outs!);
  words[at + 27] = 4 * blocks.largest;
  words[at + 28] = 4 * blocks.sum;
  matrix(words, at + 29, blocks.upstream, outs!);
  matrix(words, at + 32, blocks.dq, queries!);
  matrix(words, at + 35, blocks.dk, keys!);
  matrix(words, at + 38, blocks.dv, values!);
  matrix(words, at + 41, blocks.dbias, biasStrides ?? none);
}

/** Blocks by the order of their names in `order`, from the addresses that the arena gave. */
export function named(order: readonly (keyof Blocks)[], addresses: Int32Array): Blocks {
  const blocks: Blocks = { q: 0, k: 0, v: 0, bias: 0, mask: 0, out: 0, largest: 0, sum: 0, upstream: 0, dq: 0, dk: 0,
    dv: 0, dbias: 0 };
  order.forEach((name, i) => { blocks[name] = addresses[i]!; });
  return blocks;
}
