// SPDX-License-Identifier: Apache-2.0
// What each efficient form adds to a call: the words of bindings/efficient.h, checked.
import { fail, numbers, size, type Shape } from '../shape.ts';
import type { Delta, EfficientInput, Features, Spans } from './types.ts';

const MAPS: readonly NonNullable<Features['map']>[] =
  ['given', 'elu+1', 'relu', 'exp', '1+x', 'positive', 'rectified', 'fourier'];
const DRAWN = MAPS.indexOf('positive'); // from here on, maps of drawn rows
const PARTS = ['both', 'first', 'second'] as const;

/** What a form adds to a call: its function, its words, and arrays whose addresses (in bytes) go into some of them. */
export interface Own {
  name: 'features' | 'delta' | 'strided' | 'fixed' | 'blocks' | 'hashed' | 'mixed' | 'spans' | 'clusters' | 'landmarks';
  words: number[];
  arrays: [word: number, data: Float32Array | Uint32Array][];
  /** A gradient beside those of q, k and v, and the word for its address. */
  more?: { word: number; name: 'dz' | 'dbeta' | 'dgates'; length: number };
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
  if (!Array.isArray(lists) || lists.length !== rows) fail('lists', `${rows} lists, one per block of queries`, lists);
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

// One for each token, [heads n], or [n] for all heads.
function byToken(field: string, array: Float32Array, heads: number, n: number, low: number, high: number): number {
  const stride = shared(field, array, heads, n);
  const wrong = array.find((x) => !(x >= low && x <= high));
  return wrong === undefined ? stride : fail(field, `numbers from ${low} to ${high}`, wrong);
}

function indices(field: string, list: readonly number[], below: number): Uint32Array {
  list.forEach((index, i) => {
    if (size(`${field}[${i}]`, index) >= below) fail(`${field}[${i}]`, `a number below ${below}`, index);
  });
  return Uint32Array.from(list);
}

function sumsTo1(map: number, asked: boolean | undefined): number {
  if (!asked) return 0;
  return map < DRAWN ? 2 : fail('sumNorm', 'false where features are of drawn rows', true);
}

function features(form: Features, { heads, m, n, d }: Shape): Own {
  const map = choice('map', form.map ?? 'elu+1', MAPS);
  const plain = form.divide === false ? 1 : 0;
  if (plain && MAPS[map] === 'positive')
    fail('divide', 'true where the map is positive: its features leave a factor out', false);
  const flags = plain + sumsTo1(map, form.sumNorm);
  const own: Own = { name: 'features', words: [map, d, 0, 0, form.causal ? 1 : 0, flags, 0, 0, 0], arrays: [] };
  if (map >= DRAWN) {
    const rows = numbers('drawn', form.drawn).length / d;
    if (!Number.isInteger(rows) || rows === 0) fail('drawn', `a multiple of ${d} numbers ([r d])`, form.drawn);
    own.words[1] = MAPS[map] === 'fourier' ? 2 * rows : rows;
    own.arrays.push([2, form.drawn!]);
  }
  if (form.gates) {
    if (!form.causal || m !== n) fail('gates', 'a causal form with as many queries as keys', form.gates);
    own.words[7] = byToken('gates', form.gates, heads, n, 0, 1);
    own.arrays.push([6, form.gates]);
    own.more = { word: 8, name: 'dgates', length: form.gates.length };
  }
  return own;
}

function delta(form: Delta, { heads, m, n, d }: Shape): Own {
  const map = choice('map', form.map ?? 'elu+1', MAPS.slice(0, DRAWN));
  if (m !== n) fail('k', `as many keys as queries, ${m}`, n);
  const own: Own = { name: 'delta', words: [map, d, 0, 0, 1, sumsTo1(map, form.sumNorm), 0, 0, 0], arrays: [] };
  if (form.beta) {
    numbers('beta', form.beta, heads * n);
    own.words[7] = n;
    own.arrays.push([6, form.beta]);
    own.more = { word: 8, name: 'dbeta', length: heads * n };
  }
  return own;
}

function spans(form: Spans, { heads, m }: Shape): Own {
  const { length } = numbers('z', form.z);
  const [row, head] = length === 1 ? [0, 0] : length === heads * m ? [1, m] : length === heads ? [0, 1]
    : fail('z', `1, ${heads} or ${heads * m} numbers`, form.z);
  if (!(form.ramp > 0 && form.ramp < Infinity)) fail('ramp', 'a number above 0', form.ramp);
  return {
    name: 'spans', words: [0, row, head, 0, form.causal ? 1 : 0, 0],
    arrays: [[0, form.z], [3, Float32Array.of(form.ramp)]], more: { word: 5, name: 'dz', length },
  };
}

export function ownOf({ form }: EfficientInput, shape: Shape): Own {
  const { heads, m, n, d } = shape;
  switch (form.kind) {
    case 'features':
      return features(form, shape);
    case 'delta':
      return delta(form, shape);
    case 'spans':
      return spans(form, shape);
    case 'clusters': {
      const clusters = size('clusters', form.clusters, 1);
      if (form.of?.length !== m) fail('of', `${m} numbers, the cluster of each query`, form.of);
      return { name: 'clusters', words: [clusters, 0], arrays: [[1, indices('of', form.of, clusters)]] };
    }
    case 'landmarks': {
      const { landmarks, ridge = 0 } = form;
      if (!landmarks?.length) fail('landmarks', 'at least one row of [q; k]', landmarks);
      if (!(ridge >= 0 && ridge < Infinity)) fail('ridge', 'a number of at least 0', ridge);
      return { name: 'landmarks', words: [landmarks.length, 0, 0],
        arrays: [[1, indices('landmarks', landmarks, m + n)], [2, Float32Array.of(ridge)]] };
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
      return fail('form.kind', 'features, delta, strided, fixed, blocks, hashed, mixed, spans, clusters or landmarks',
        (form as { kind: unknown }).kind);
  }
}
