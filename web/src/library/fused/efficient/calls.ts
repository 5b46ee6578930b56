// SPDX-License-Identifier: Apache-2.0
// Calls of the efficient forms; the words of the record are those of bindings/efficient.h.
import type { EfficientModule } from '../../efficient.mjs';
import { Arena } from '../memory.ts';
import type { Results } from '../results.ts';
import { numbers, scaleOf, shapeOf } from '../shape.ts';
import { ownOf, type Own } from './forms.ts';
import type { EfficientGradients, EfficientInput, EfficientOutput } from './types.ts';

const WORDS = 25;
const OWN = 16; // where a form's own words begin
const TENSORS = 11; // the record, and what every form has

export class Calls {
  private readonly arena: Arena;
  private readonly addresses = new Int32Array(20);

  constructor(private readonly module: EfficientModule, private readonly results: Results) {
    this.arena = new Arena(module);
  }

  run(input: EfficientInput): EfficientOutput {
    const { shape, at } = this.call(input);
    return { output: this.taken(at.out, shape.heads * shape.m * shape.dv, input.out) };
  }

  gradient(input: EfficientInput & { upstream: Float32Array }): EfficientOutput & EfficientGradients {
    const { shape: { heads, m, n, d, dv }, form: { more }, at } = this.call(input, input.upstream);
    const dk = input.form.kind === 'hashed' ? {} : { dk: this.taken(at.dk, heads * n * d) };
    const own = more ? { [more.name]: this.taken(at.more, more.length) } : {};
    return { output: this.taken(at.out, heads * m * dv, input.out), dq: this.taken(at.dq, heads * m * d), ...dk,
      dv: this.taken(at.dv, heads * n * dv), ...own };
  }

  release(): void {
    this.arena.free();
  }

  private call(input: EfficientInput, upstream?: Float32Array) {
    const hashed = input.form?.kind === 'hashed';
    const shape = shapeOf({ ...input, k: input.k ?? (hashed ? input.q : numbers('k', input.k)) });
    const { heads, m, n, d, dv } = shape;
    const form: Own = ownOf(input, shape);
    const queries = heads * m * d, keys = heads * n * d, values = heads * n * dv, outs = heads * m * dv;
    if (input.out !== undefined) numbers('out', input.out, outs);
    if (upstream !== undefined) numbers('upstream', upstream, outs);
    const back = upstream === undefined ? 0 : 1;
    const sizes = [
      WORDS, queries, hashed ? 0 : keys, values, outs, heads * m, heads * m,
      back * outs, back * queries, hashed ? 0 : back * keys, back * values,
      ...form.arrays.map(([, array]) => array.length), back * (form.more?.length ?? 0),
    ];
    this.arena.lay(sizes, this.addresses);
    const [record, q, k, v, out, first, second, slope, dq, dk, dvAt] = this.addresses as unknown as number[];
    const { HEAP32: words, HEAPF32: floats } = this.module;
    words.set([heads, m, n, d, dv, 0,
      ...[q!, k!, v!, out!, first!, second!, slope!, dq!, dk!, dvAt!].map((at) => 4 * at), ...form.words], record);
    floats[record! + 5] = scaleOf(input.scale, d);
    floats.set(input.q, q);
    if (!hashed) floats.set(input.k!, k);
    floats.set(input.v, v);
    if (upstream !== undefined) floats.set(upstream, slope);
    form.arrays.forEach(([word, array], i) => {
      const to = this.addresses[TENSORS + i]!;
      if (array instanceof Float32Array) floats.set(array, to);
      else words.set(array, to);
      words[record! + OWN + word] = 4 * to;
    });
    const more = this.addresses[TENSORS + form.arrays.length]!;
    if (form.more && back) words[record! + OWN + form.more.word] = 4 * more;
    this.module[`_fused_${form.name}`](4 * record!);
    if (back) this.module[`_fused_${form.name}_backward`](4 * record!);
    return { shape, form, at: { out: out!, dq: dq!, dk: dk!, dv: dvAt!, more } };
  }

  // The call may have grown the memory, which makes new views of it.
  private taken(at: number, length: number, out?: Float32Array): Float32Array {
    const memory = this.module.HEAPF32;
    if (out === undefined) return this.results.copy(memory, at, length);
    out.set(memory.subarray(at, at + length));
    return out;
  }
}
