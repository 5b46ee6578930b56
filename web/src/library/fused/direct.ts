// SPDX-License-Identifier: Apache-2.0
import { Arena } from './memory.ts';
import type { FusedModule } from '../fused.mjs';
import { ATTENTION_WORDS, named, writeAttention, type Blocks } from './record.ts';
import { fail, numbers, offsetOf, range, reach, scaleOf, shapeOf, size, stridesOf, UNBOUNDED, type Shape,
  type Strides } from './shape.ts';
import type { Results } from './results.ts';
import type { AttentionInput, AttentionOutput, GradientInput, Gradients, RowInput } from './types.ts';

const FORWARD = ['q', 'k', 'v', 'bias', 'mask', 'out', 'largest', 'sum'] as const;
const BACKWARD = [...FORWARD, 'upstream', 'dq', 'dk', 'dv', 'dbias'] as const;
const ROWS_END = -1; // as an unsigned word: past every end
const ALL: readonly [number, number] = [0, UNBOUNDED];

/** Calls of the module's attention. What a call needs lies in one arena and stays there for calls of the same shape. */
export class Direct {
  private readonly arena: Arena;
  private readonly addresses = new Int32Array(BACKWARD.length + 1);
  private record = 0;
  private blocks: Blocks | undefined;
  // What the record was written for.
  private shape: Shape = { heads: 0, m: -1, n: 0, d: 0, dv: 0 };
  private readonly kept = { backward: false, before: 0, after: 0, offset: 0, scale: 0, bias: -1, mask: -1 };

  constructor(private readonly module: FusedModule, private readonly results: Results) {
    this.arena = new Arena(module);
  }

  attention(input: AttentionInput): AttentionOutput {
    const shape = shapeOf(input);
    const [first, last] = input.rows === undefined ? ALL : range(input.rows, shape.m);
    const { heads, m, dv } = shape;
    const count = input.rows === undefined ? m : last - first;
    if (input.out !== undefined) numbers('out', input.out, heads * count * dv);
    const blocks = this.enter(input, shape, false);
    this.module._fused_attend(4 * this.record, 0, ROWS_END, first, last);
    if (count === m) {
      const { out, largest, sum } = blocks;
      return { output: this.taken(out, heads * m * dv, input.out), largest: this.taken(largest, heads * m),
        sum: this.taken(sum, heads * m) };
    }
    return {
      output: this.rowsOf(blocks.out, heads, m * dv, first * dv, count * dv, input.out),
      largest: this.rowsOf(blocks.largest, heads, m, first, count),
      sum: this.rowsOf(blocks.sum, heads, m, first, count),
    };
  }

  attentionGradient(input: GradientInput): Gradients {
    const shape = shapeOf(input);
    const { heads, m, n, d, dv } = shape;
    numbers('upstream', input.upstream, heads * m * dv);
    const blocks = this.enter(input, shape, true);
    this.module.HEAPF32.set(input.upstream, blocks.upstream);
    this.module._fused_attend(4 * this.record, 0, ROWS_END, 0, ROWS_END);
    this.module._fused_backward(4 * this.record, 0, ROWS_END, 0, ROWS_END);
    const copy = (at: number, length: number) => this.taken(at, length);
    return {
      output: copy(blocks.out, heads * m * dv),
      largest: copy(blocks.largest, heads * m),
      sum: copy(blocks.sum, heads * m),
      dq: copy(blocks.dq, heads * m * d),
      dk: copy(blocks.dk, heads * n * d),
      dv: copy(blocks.dv, heads * n * dv),
      ...(input.bias ? { dbias: copy(blocks.dbias, input.bias.length) } : {}),
    };
  }

  /** The one row is a call with one query, which stands where that query stood. */
  attentionRow(input: RowInput): Float32Array {
    const { heads, m, n, d } = shapeOf(input);
    const head = input.head === undefined ? 0 : size('head', input.head);
    const row = size('row', input.row);
    if (head >= heads) fail('head', `less than ${heads}`, head);
    if (row >= m) fail('row', `less than ${m}`, row);
    const only = (field: 'bias' | 'mask') => {
      const array = input[field];
      if (array === undefined) return undefined;
      const [rowStride, headStride] = stridesOf(field, array, { heads, m, n });
      const at = head * headStride + row * rowStride;
      return array.subarray(at, at + n);
    };
    if (input.out !== undefined) numbers('out', input.out, n);
    const k = input.k.subarray(head * n * d, (head + 1) * n * d);
    const at = (head * m + row) * d;
    const one: AttentionInput = {
      ...input, heads: 1, m: 1, n, dv: 1, q: input.q.subarray(at, at + d), k, v: k.subarray(0, n),
      offset: offsetOf(input) + row, bias: only('bias'), mask: only('mask'), out: undefined,
    };
    const blocks = this.enter(one, { heads: 1, m: 1, n, d, dv: 1 }, false);
    this.module._fused_attend(4 * this.record, 0, 1, 0, 1);
    // The weights take the place of the values, which nothing reads any more.
    this.module._fused_row(4 * this.record, 0, 0, 4 * blocks.v);
    return this.taken(blocks.v, n, input.out);
  }

  release(): void {
    this.arena.free();
    this.blocks = undefined;
  }

  /** Copies the inputs into the arena and makes the record say this call. */
  private enter(input: AttentionInput, shape: Shape, backward: boolean): Blocks {
    const { bias, mask } = input;
    const scale = scaleOf(input.scale, shape.d);
    const offset = offsetOf(input);
    const [before, after] = input.window === undefined && !input.causal ? [UNBOUNDED, UNBOUNDED] : reach(input);
    const biasStrides = bias === undefined ? undefined : stridesOf('bias', bias, shape);
    const maskStrides = mask === undefined ? undefined : stridesOf('mask', mask, shape);
    const { kept, shape: last } = this;
    const same = this.blocks !== undefined && last.m === shape.m && last.n === shape.n && last.d === shape.d
      && last.dv === shape.dv &&
      last.heads === shape.heads && kept.backward === backward && kept.before === before && kept.after === after
        && kept.offset === offset &&
      kept.scale === scale && kept.bias === (bias?.length ?? -1) && kept.mask === (mask?.length ?? -1);
    if (!same) {
      this.shape = shape;
      Object.assign(kept, { backward, before, after, offset, scale, bias: bias?.length ?? -1,
        mask: mask?.length ?? -1 });
      this.write(shape, scale, before, after, offset, biasStrides, maskStrides);
    }
    const blocks = this.blocks!;
    const memory = this.module.HEAPF32;
    memory.set(input.q, blocks.q);
    memory.set(input.k, blocks.k);
    memory.set(input.v, blocks.v);
    if (bias !== undefined) memory.set(bias, blocks.bias);
    if (mask !== undefined) memory.set(mask, blocks.mask);
    return blocks;
  }

  private write(shape: Shape, scale: number, before: number, after: number, offset: number, bias: Strides | undefined,
    mask: Strides | undefined): void {
    const { heads, m, n, d, dv } = shape;
    const { kept } = this;
    const length = { q: heads * m * d, k: heads * n * d, v: heads * n * dv, bias: kept.bias, mask: kept.mask,
      out: heads * m * dv, largest: heads * m, sum: heads * m };
    const backward = { ...length, upstream: length.out, dq: length.q, dk: length.k, dv: length.v, dbias: kept.bias };
    const order = (kept.backward ? BACKWARD : FORWARD).filter((name) => backward[name] >= 0);
    this.blocks = undefined; // should the memory not suffice
    this.arena.lay([ATTENTION_WORDS, ...order.map((name) => backward[name])], this.addresses);
    this.record = this.addresses[0]!;
    const blocks = named(order, this.addresses.subarray(1));
    writeAttention(this.module.HEAP32, this.module.HEAPF32, this.record, shape, scale, { before, after, offset },
      blocks, bias, mask);
    this.blocks = blocks;
  }
  private taken(at: number, length: number, out?: Float32Array): Float32Array {
    const memory = this.module.HEAPF32;
    if (out === undefined) return this.results.copy(memory, at, length);
    out.set(memory.subarray(at, at + length));
    return out;
  }

  /** Some rows of each head, one head after the other. */
  private rowsOf(at: number, heads: number, stride: number, first: number, length: number,
    out?: Float32Array): Float32Array {
    const memory = this.module.HEAPF32;
    const rows = out ?? this.results.room(heads * length);
    for (let h = 0; h < heads; h++) {
      const from = at + h * stride + first;
      rows.set(memory.subarray(from, from + length), h * length);
    }
    return rows;
  }
}
