// SPDX-License-Identifier: Apache-2.0
// Calls of the efficient forms; the words of the record are those of bindings/efficient.h.
import type { EfficientModule } from '../../efficient.mjs';
import { Arena } from '../memory.ts';
import type { Results } from '../results.ts';
import { fail, numbers, scaleOf, shapeOf, size, type Shape } from '../shape.ts';
import type { EfficientGradients, EfficientInput, EfficientOutput, Features } from './types.ts';

const WORDS = 22;
const OWN = 16; // where a form's own words begin
const MAPS: readonly NonNullable<Features['map']>[] = ['given', 'elu+1', 'relu', 'exp', '1+x', 'positive', 'rectified'];
const PARTS = ['both', 'first', 'second'] as const;

/**
 * What a form adds to a call: its function, its own words, and arrays whose addresses (in bytes) go into some of them.
 */
interface Own {
  name: 'features' | 'strided' | 'fixed' | 'blocks' | 'hashed' | 'mixed';
  words: number[];
  arrays: [word: number, data: Float32Array | Uint32Array][];
}

function choice(field: string, value: string, among: readonly string[]): number {
  const at = among.indexOf(value);
  return at >= 0 ? at : fail(field, among.join(', '), value);
}

// One for each head, or one for all: the head stride.
function shared(field: string, array: Float32Array, heads: number, one: number): number {
  numbers(field, array);
  if (array.length === one) return 0;
  return array.length === heads * one ? one : fail(field, `${one} or ${heads * one} numbers`, array);
}

function listed(lists: readonly (readonly number[])[], rows: number,
  columns: number): [starts: Uint32Array, blocks: Uint32Array] {
  if (!Array.isArray(lists) || lists.length !== rows) fail('lists', `${rows} lists, one a block of queries`, lists);
  const starts = new Uint32Array(rows + 1);
  lists.forEach((list: readonly number[], b) => { starts[b + 1] = starts[b]! + list.length; });
  const blocks = new Uint32Array(starts[rows]!);
  lists.forEach((list: readonly number[], b) => {
    if (new Set(list).size !== list.length) fail(`lists[${b}]`, 'no block twice', list);
    for (const block of list) if (size(`lists[${b}]`, block) >= columns)
      fail(`lists[${b}]`, `blocks below ${columns}`, block);
    blocks.set(list, starts[b]);
  });
  return [starts, blocks];
}

function own({ form }: EfficientInput, { heads, m, n, d }: Shape): Own {
  switch (form.kind) {
    case 'features': {
      const map = choice('map', form.map ?? 'elu+1', MAPS);
      const causal = form.causal ? 1 : 0;
      if (map < MAPS.indexOf('positive')) return { name: 'features', words: [map, d, 0, 0, causal], arrays: [] };
      const r = numbers('drawn', form.drawn).length / d;
      if (!Number.isInteger(r) || r === 0) fail('drawn', `a multiple of ${d} numbers ([r d])`, form.drawn);
      return { name: 'features', words: [map, r, 0, 0, causal], arrays: [[2, form.drawn!]] };
    }
    case 'strided':
      return { name: 'strided', words: [size('l', form.l, 1), choice('part', form.part ?? 'both', PARTS)], arrays: [] };
    case 'fixed':
      return { name: 'fixed', words:
        [size('l', form.l, 1), size('c', form.c, 1), choice('part', form.part ?? 'both', PARTS)], arrays: [] };
    case 'blocks': {
      size('size', form.size, 1);
      const [starts, blocks] = listed(form.lists, Math.ceil(m / form.size), Math.ceil(n / form.size));
      return { name: 'blocks', words: [form.size, form.causal ? 1 : 0, 0, 0], arrays: [[2, starts], [3, blocks]] };
    }
    case 'hashed': {
      const buckets = size('buckets', form.buckets, 2);
      if (buckets % 2 !== 0) fail('buckets', 'an even number, x R and -x R', buckets);
      const rounds = size('rounds', form.rounds, 1);
      const stride = shared('planes', form.planes, heads, rounds * d * (buckets / 2));
      return { name: 'hashed', words: [rounds, buckets, size('chunk', form.chunk, 1), form.causal ? 1 : 0, 0, stride],
        arrays: [[4, form.planes]] };
    }
    case 'mixed': {
      const r = n === 0 ? 0 : numbers('e', form.e).length / n;
      if (!Number.isInteger(r) || r === 0) fail('e', `a multiple of ${n} numbers ([r n])`, form.e);
      numbers('g', form.g, r * n);
      return { name: 'mixed', words: [r, 0, 0], arrays: [[1, form.e], [2, form.g]] };
    }
    default:
      return fail('form.kind', 'features, strided, fixed, blocks, hashed or mixed', (form as { kind: unknown }).kind);
  }
}

export class Calls {
  private readonly arena: Arena;
  private readonly addresses = new Int32Array(16);

  constructor(private readonly module: EfficientModule, private readonly results: Results) {
    this.arena = new Arena(module);
  }

  run(input: EfficientInput): EfficientOutput {
    const { shape, at } = this.call(input);
    return { output: this.taken(at.out, shape.heads * shape.m * shape.dv, input.out) };
  }

  gradient(input: EfficientInput & { upstream: Float32Array }): EfficientOutput & EfficientGradients {
    const { shape: { heads, m, n, d, dv }, at } = this.call(input, input.upstream);
    const dk = input.form.kind === 'hashed' ? {} : { dk: this.taken(at.dk, heads * n * d) };
    return { output: this.taken(at.out, heads * m * dv, input.out), dq: this.taken(at.dq, heads * m * d), ...dk,
      dv: this.taken(at.dv, heads * n * dv) };
  }

  release(): void {
    this.arena.free();
  }

  private call(input: EfficientInput, upstream?: Float32Array) {
    const hashed = input.form?.kind === 'hashed';
    const shape = shapeOf({ ...input, k: input.k ?? (hashed ? input.q : numbers('k', input.k)) });
    const { heads, m, n, d, dv } = shape;
    const form = own(input, shape);
    const queries = heads * m * d, keys = heads * n * d, values = heads * n * dv, outs = heads * m * dv;
    if (input.out !== undefined) numbers('out', input.out, outs);
    if (upstream !== undefined) numbers('upstream', upstream, outs);
    const back = upstream === undefined ? 0 : 1;
    const sizes = [
      WORDS, queries, hashed ? 0 : keys, values, outs, heads * m, heads * m,
      back * outs, back * queries, hashed ? 0 : back * keys, back * values,
      ...form.arrays.map(([, array]) => array.length),
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
      const to = this.addresses[11 + i]!;
      if (array instanceof Float32Array) floats.set(array, to);
      else words.set(array, to);
      words[record! + OWN + word] = 4 * to;
    });
    this.module[`_fused_${form.name}`](4 * record!);
    if (back) this.module[`_fused_${form.name}_backward`](4 * record!);
    return { shape, at: { out: out!, dq: dq!, dk: dk!, dv: dvAt! } };
  }

  // The call may have grown the memory, which makes new views of it.
  private taken(at: number, length: number, out?: Float32Array): Float32Array {
    const memory = this.module.HEAPF32;
    if (out === undefined) return this.results.copy(memory, at, length);
    out.set(memory.subarray(at, at + length));
    return out;
  }
}
