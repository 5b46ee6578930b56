// SPDX-License-Identifier: Apache-2.0
// Files of weights (safetensors: a length, a header in JSON, the numbers), as far as the page has to put two of them
// together.

import { bytesOfFile, FileProblem, type WeightsData } from './data.ts';
import { numberOf } from './half.ts';

export interface Stored {
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

export interface WeightsFile {
  metadata: Record<string, string>;
  tensors: Map<string, Stored>;
}

/** What was kept of a file for another model, and what that model draws anew. */
export interface Fitted {
  kept: string[];
  drawn: string[];
}

const LENGTH = 8;
/** Behind the name of a tensor of bytes: the name of what they are multiplied by. */
export const SCALE = '.scale';
/** Bytes of a number, by the names of the format. */
export const BYTES: Readonly<Record<string, number>> = { F64: 8, F32: 4, F16: 2, BF16: 2, I8: 1 };

export interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}
export const isEntry = (value: unknown): value is Entry => {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Partial<Entry>;
  const wholes = (list: unknown) => Array.isArray(list) && list.every((x) => Number.isSafeInteger(x) && x >= 0);
  return typeof dtype === 'string' && wholes(shape) && wholes(offsets) && offsets!.length === 2;
};

function headerOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new Error('this is not a file of weights: its header is not a JSON object');
}

/** All bytes before the numbers; throws where there are none. */
export async function readHead(file: WeightsData): Promise<Uint8Array> {
  const first = await bytesOfFile(file, 0, LENGTH);
  if (first.length < LENGTH) throw new FileProblem(`this is not a file of weights: it has ${first.length} bytes`);
  const length = Number(new DataView(first.buffer, first.byteOffset, LENGTH).getBigUint64(0, true));
  return bytesOfFile(file, 0, LENGTH + length);
}

/** The header of a file, without a look at any number; throws where it has none. */
export const readHeader = async (file: WeightsData): Promise<Record<string, unknown>> =>
  headerOf((await readHead(file)).subarray(LENGTH));

/** How many weights a header speaks of: scales are none. */
export const countInHeader = (header: Record<string, unknown>): number => Object.entries(header)
  .filter(([name, value]) => isEntry(value) && !(name.endsWith(SCALE) && name.slice(0, -SCALE.length) in header))
  .reduce((sum, [, value]) => sum + (value as Entry).shape.reduce((a, b) => a * b, 1), 0);

// Smaller ones the engine reads as float32 (`large_tensor` in src/ops/weight_store.h).
const LARGE = 65_536;

/** Whether products read int8 matrices of the file as they are. */
export const hasLargeInt8 = (header: Record<string, unknown>): boolean => Object.values(header).some((value) =>
  isEntry(value) && value.dtype === 'I8' && value.shape.reduce((a, b) => a * b, 1) >= LARGE);

/** How many numbers each tensor of a file has, without the scales of int8 tensors. */
export const countsIn = (header: Record<string, unknown>): ReadonlyMap<string, number> =>
  new Map(Object.entries(header).flatMap(([name, value]): [string, number][] => {
    const isScale = name.endsWith(SCALE) && Object.hasOwn(header, name.slice(0, -SCALE.length));
    return isEntry(value) && !isScale ? [[name, value.shape.reduce((a, b) => a * b, 1)]] : [];
  }));

/** Reads a file; throws where it is none, is cut short, or its header lies. */
export function readWeights(file: Uint8Array): WeightsFile {
  const size = file.length < LENGTH ? -1
    : Number(new DataView(file.buffer, file.byteOffset, LENGTH).getBigUint64(0, true));
  if (size < 0 || LENGTH + size > file.length)
    throw new Error(`this is not a file of weights: it has ${file.length} bytes, but its header should have ${size}`);
  const start = LENGTH + size;
  const header = headerOf(file.subarray(LENGTH, start));
  const tensors = new Map<string, Stored>();
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    if (!isEntry(value))
      throw new Error(`this is not a file of weights: its header gives no dtype, shape and data_offsets for "${name}"`);
    const { dtype, shape, data_offsets: [from, to] } = value;
    if (to < from || start + to > file.length) throw new Error(`the numbers of "${name}" lie outside the file`);
    const needs = shape.reduce((product, size) => product * size, BYTES[dtype] ?? 1);
    if (BYTES[dtype] !== undefined && needs !== to - from)
      throw new Error(
        `"${name}" of shape [${shape.join(' ')}] needs ${needs} bytes, but its header gives it ${to - from}`);
    tensors.set(name, { dtype, shape, bytes: file.subarray(start + from, start + to) });
  }
  return { metadata: (header['__metadata__'] ?? {}) as Record<string, string>, tensors };
}

const READ: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  F64: (view, at) => view.getFloat64(at, true),
  F32: (view, at) => view.getFloat32(at, true),
  F16: (view, at) => numberOf(view.getUint16(at, true)),
  BF16: (view, at) => floatOf(view.getUint16(at, true) << 16),
  I8: (view, at) => view.getInt8(at),
};

function floatOf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setInt32(0, bits);
  return view.getFloat32(0);
}

/** The numbers of a tensor as they are stored: bytes without their scale. */
export function numbersIn({ dtype, bytes }: Stored): number[] {
  const [size, read] = [BYTES[dtype], READ[dtype]];
  if (size === undefined || !read) throw new Error(
    `numbers of the type ${dtype} cannot be read; known: ${Object.keys(BYTES).join(', ')}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / size }, (_, k) => read(view, k * size));
}

/** The numbers of a tensor, bytes multiplied by their scale: one for the tensor, or one for each column of a matrix. */
export function valuesOf({ tensors }: WeightsFile, name: string): number[] {
  const stored = tensors.get(name)!;
  const numbers = numbersIn(stored);
  if (stored.dtype !== 'I8') return numbers;
  const scale = tensors.get(name + SCALE);
  const scales = scale ? numbersIn(scale) : [];
  const columns = stored.shape.at(-1) ?? 1;
  const rows = stored.shape.at(-2) ?? 1;
  const wanted = numbers.length / Math.max(1, rows);
  if (scales.length !== 1 && scales.length !== wanted) throw new Error(
    `"${name}" holds 8-bit integers: it needs 1 scale or ${wanted}, one for each column, and has ${scales.length}`);
  if (scales.length === 1) return numbers.map((number) => Math.fround(number * scales[0]!));
  const slice = rows * columns;
  return numbers.map((number, k) => Math.fround(number * scales[Math.floor(k / slice) * columns + (k % columns)]!));
}

export function writeWeights({ metadata, tensors }: WeightsFile): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let at = 0;
  for (const [name, { dtype, shape, bytes }] of tensors)
    header[name] = { dtype, shape, data_offsets: [at, (at += bytes.length)] };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(LENGTH + text.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, LENGTH);
  let place = LENGTH + text.length;
  for (const { bytes } of tensors.values()) {
    file.set(bytes, place);
    place += bytes.length;
  }
  return file;
}

/** Which weights of a file were drawn and not trained: a JSON list of their names. */
export const UNTRAINED = 'untrained';

/** Those weights. Any program may have written the file: what is no list of names says nothing. */
export function untrainedIn({ metadata: { [UNTRAINED]: text = '' } }: Pick<WeightsFile, 'metadata'>): string[] {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** The weights of a model where each that is in `from`, by the same name and in the same shape, is taken from there. */
export function fitted(own: WeightsFile, from: WeightsFile,
  patch: Readonly<Record<string, number[]>> = {}, more: Record<string, string> = {}): Fitted & { file: Uint8Array } {
  const tensors = new Map<string, Stored>();
  const [kept, drawn]: [string[], string[]] = [[], []];
  // What was drawn when the file was made was not trained since.
  const still = new Set(untrainedIn(from));
  for (const [name, stored] of own.tensors) {
    const other = from.tensors.get(name);
    const fits = other !== undefined && other.shape.join() === stored.shape.join();
    (fits && !still.has(name) ? kept : drawn).push(name);
    const numbers = patch[name];
    if (numbers) {
      tensors.set(name, { dtype: 'F32', shape: stored.shape,
        bytes: new Uint8Array(Float32Array.from(numbers).buffer) });
      continue;
    }
    tensors.set(name, fits ? other : stored);
    const scale = fits ? from.tensors.get(name + SCALE) : undefined;
    if (scale) tensors.set(name + SCALE, scale);
  }
  const metadata = { ...more, ...(drawn.length > 0 ? { [UNTRAINED]: JSON.stringify(drawn) } : {}) };
  return { kept, drawn, file: writeWeights({ metadata, tensors }) };
}
