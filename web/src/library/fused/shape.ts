// SPDX-License-Identifier: Apache-2.0
import type { AttentionInput, MultiHeadInput } from './types.ts';

export const UNBOUNDED = 0x7fffffff;

export interface Shape {
  heads: number;
  m: number;
  n: number;
  d: number;
  dv: number;
}

/** Rows of a bias or a mask: [row stride, head stride]; a stride of 0 shares. */
export type Strides = readonly [row: number, head: number];

function shown(found: unknown): string {
  if (typeof found === 'string') return `the text "${found}"`;
  if (typeof found === 'function') return 'a function';
  if (typeof found !== 'object' || found === null) return String(found);
  return `${found.constructor?.name ?? 'an object'}${'length' in found ? ` of ${String(found.length)}` : ''}`;
}

export function fail(field: string, expected: string, found: unknown): never {
  throw new TypeError(`${field}: expected ${expected}, found ${shown(found)}`);
}

/** What a call takes is an object with its fields. */
export function fields<T>(input: T): T {
  return typeof input === 'object' && input !== null ? input : fail('input', 'an object', input);
}

const pair = (field: string, value: unknown): readonly [unknown, unknown] =>
  (Array.isArray(value) && value.length === 2 ? value as [unknown, unknown]
    : fail(field, 'a pair of whole numbers', value));

export function size(field: string, value: unknown, least = 0): number {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > UNBOUNDED)
    fail(field, `a whole number of at least ${least}`, value);
  return value as number;
}

export function numbers(field: string, value: unknown, length?: number): Float32Array {
  if (!(value instanceof Float32Array))
    fail(field, length === undefined ? 'a Float32Array' : `a Float32Array of ${length}`, value);
  if (length !== undefined && value.length !== length) fail(field, `a Float32Array of ${length}`, value);
  return value;
}

// How many rows of `width` an array has, when the caller does not say.
function rows(field: string, given: number | undefined, name: string, array: Float32Array, heads: number,
  width: number): number {
  if (given !== undefined) return size(name, given);
  const count = width === 0 ? 0 : array.length / (heads * width);
  if (!Number.isInteger(count)) fail(field, `a multiple of ${heads * width} numbers (heads times width)`, array);
  return count;
}

export function shapeOf(input: Omit<AttentionInput, 'v'> & { v?: Float32Array }): Shape {
  const { q, k, v } = fields(input);
  const heads = input.heads === undefined ? 1 : size('heads', input.heads, 1);
  const d = size('d', input.d, 1);
  const m = rows('q', input.m, 'm', numbers('q', q), heads, d);
  const n = rows('k', input.n, 'n', numbers('k', k), heads, d);
  const dv = v === undefined ? d : rows('v', input.dv, 'dv', numbers('v', v), heads, n);
  if (q.length !== heads * m * d) fail('q', `${heads * m * d} numbers ([heads m d])`, q);
  if (k.length !== heads * n * d) fail('k', `${heads * n * d} numbers ([heads n d])`, k);
  if (v !== undefined && v.length !== heads * n * dv) fail('v', `${heads * n * dv} numbers ([heads n dv])`, v);
  return { heads, m, n, d, dv };
}

/** How far before and after its place a query attends. */
export function reach({ causal, window }: Pick<AttentionInput, 'causal' | 'window'>): Strides {
  if (window === undefined) return [UNBOUNDED, causal ? 0 : UNBOUNDED];
  if (typeof window !== 'number' && !Array.isArray(window))
    fail('window', 'a whole number of at least 0 or a pair of them', window);
  const [before, after] = (typeof window === 'number' ? [window, window] : pair('window', window))
    .map((far) => size('window', far));
  return [before!, causal ? 0 : after!];
}

export function offsetOf({ offset }: Pick<AttentionInput, 'offset'>): number {
  if (offset === undefined) return 0;
  if (!Number.isInteger(offset) || Math.abs(offset) >= 2 ** 30) fail('offset', 'a whole number', offset);
  return offset;
}

export function scaleOf(scale: number | undefined, d: number): number {
  if (scale === undefined) return 1 / Math.sqrt(d);
  if (!Number.isFinite(scale)) fail('scale', 'a finite number', scale);
  return scale;
}

/** Which of the shapes that it may have a bias or mask has. */
export function stridesOf(field: 'bias' | 'mask', array: Float32Array,
  { heads, m, n }: Pick<Shape, 'heads' | 'm' | 'n'>): Strides {
  numbers(field, array);
  if (array.length === heads * m * n) return [n, m * n];
  if (array.length === m * n) return [n, 0];
  if (field === 'mask' && array.length === n) return [0, 0];
  return fail(field, `${heads * m * n} numbers ([heads m n]) or ${m * n} ([m n])${field === 'mask' ? ` or ${n} ([n])`
    : ''}`, array);
}

export function range(rows: AttentionInput['rows'], m: number): readonly [number, number] {
  if (rows === undefined) return [0, m];
  const [first, last] = pair('rows', rows) as typeof rows;
  if (size('rows', first) > size('rows', last) || last > m)
    fail('rows', `a range within 0 .. ${m}`, `${first} .. ${last}`);
  return rows;
}

/** The shape of a multi-head call. */
export function moduleShape(input: MultiHeadInput): { m: number; n: number; width: number; heads: number } {
  const { x, y, width, heads } = fields(input);
  size('width', width, 1);
  size('heads', heads, 1);
  if (width % heads !== 0) fail('heads', `a divisor of the width ${width}`, heads);
  const m = numbers('x', x).length / width;
  const n = numbers(y === undefined ? 'x' : 'y', y ?? x).length / width;
  if (!Number.isInteger(m)) fail('x', `a multiple of ${width} numbers ([m width])`, x);
  if (!Number.isInteger(n)) fail('y', `a multiple of ${width} numbers ([n width])`, y);
  return { m, n, width, heads };
}
