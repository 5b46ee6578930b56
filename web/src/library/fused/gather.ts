// SPDX-License-Identifier: Apache-2.0
// Puts the results of pieces together to that of the whole call.
import type { Method } from './port.ts';
import type { Piece } from './share.ts';
import type { Shape } from './shape.ts';
import type { AttentionInput, AttentionOutput, Gradients } from './types.ts';

export type Input = AttentionInput & { upstream?: Float32Array };
export type Result = AttentionOutput & Partial<Gradients>;

/** Room for the result of a call. */
export function empty(method: Method, input: Input, { heads, m, n, d, dv }: Shape): Result {
  const output = { output: input.out ?? new Float32Array(heads * m * dv), largest: new Float32Array(heads * m),
    sum: new Float32Array(heads * m) };
  if (method === 'attention') return output;
  const bias = input.bias ? { dbias: new Float32Array(input.bias.length) } : {};
  return { ...output, dq: new Float32Array(heads * m * d), dk: new Float32Array(heads * n * d),
    dv: new Float32Array(heads * n * dv), ...bias };
}

function add(to: Float32Array, from: Float32Array, at: number): void {
  for (let i = 0; i < from.length; i++) to[at + i]! += from[i]!;
}

/** What belongs to rows is put in its place; what sums over rows or heads is added up. */
export function gather(result: Result, part: Result, { m, n, d, dv }: Shape, { firstHead, firstRow }: Piece,
  { bias }: Input): void {
  const row = firstHead * m + firstRow;
  // What this thread computed is there already.
  const { buffer, byteOffset } = result.output;
  const there = part.output.buffer === buffer && part.output.byteOffset === byteOffset + 4 * row * dv;
  if (!there) result.output.set(part.output, row * dv);
  result.largest.set(part.largest, row);
  result.sum.set(part.sum, row);
  if (!part.dq) return;
  result.dq!.set(part.dq, row * d);
  add(result.dk!, part.dk!, firstHead * n * d);
  add(result.dv!, part.dv!, firstHead * n * dv);
  if (part.dbias) add(result.dbias!, part.dbias, bias!.length === m * n ? firstRow * n : row * n);
}
