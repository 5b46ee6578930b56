// SPDX-License-Identifier: Apache-2.0
// Weights as a link carries them: a file of weights in halves, or in bytes with one scale for each column, deflated.
import { deflateSync } from 'fflate';
import { fromUrlSafe, urlSafe } from './base64.ts';
import { bitsOf } from './half.ts';
import { inflated, TooLarge } from './inflate.ts';
import { numbersIn, readWeights, SCALE, type Stored, valuesOf, type WeightsFile, writeWeights } from './weights.ts';

export const CODES = ['half', 'bytes'] as const;
export type Code = (typeof CODES)[number];

export interface Packed {
  name: string;
  code: Code;
  /** In letters that can stand in an address. */
  text: string;
  /** How many weights there are. */
  count: number;
  /** By how much a weight changes at most, where it is rounded. */
  rounding: number;
}

/** What arrived with a link. */
export interface Unpacked {
  name: string;
  file: Uint8Array;
  code: Code;
  rounding: number;
}

// What is read of what others made; the engine has its own limits.
const MOST_TENSORS = 4096;
const MOST_NUMBERS = 4_000_000;
const MOST_BYTES = 8_000_000;
const LONGEST_NAME = 200;
/** What an optimiser remembers is no weight. */
export const REMEMBERED = 'optimiser.';
const LARGEST_BYTE = 127;

const bytesIn = (numbers: ArrayBufferView): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const halves = (shape: number[], numbers: readonly number[]): Stored =>
  ({ dtype: 'F16', shape, bytes: bytesIn(Uint16Array.from(numbers, bitsOf)) });
const singles = (shape: number[], numbers: readonly number[]): Stored =>
  ({ dtype: 'F32', shape, bytes: bytesIn(Float32Array.from(numbers)) });
const isScale = (file: WeightsFile, name: string): boolean =>
  name.endsWith(SCALE) && file.tensors.get(name.slice(0, -SCALE.length))?.dtype === 'I8';

/** The names of a file's weights, without their scales and without what an optimiser remembers. */
export const weightsIn = (file: WeightsFile): string[] =>
  [...file.tensors.keys()].filter((name) => !isScale(file, name) && !name.startsWith(REMEMBERED));

/** How many weights a file has. */
export const countIn = (file: WeightsFile): number =>
  weightsIn(file).reduce((sum, name) => sum + file.tensors.get(name)!.shape.reduce((a, b) => a * b, 1), 0);

// One scale for each column of each matrix: its largest weight becomes 127.
function inBytes(shape: number[], numbers: readonly number[]): { bytes: Stored; scale: Stored } {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const place = (k: number) => Math.floor(k / (rows * columns)) * columns + (k % columns);
  const most = new Float32Array(numbers.length / rows);
  numbers.forEach((number, k) => (most[place(k)] = Math.max(most[place(k)]!, Math.abs(number))));
  const scales = most.map((size) => (size === 0 ? 1 : size / LARGEST_BYTE));
  const bytes = Int8Array.from(numbers, (number, k) =>
    Math.max(-LARGEST_BYTE, Math.min(LARGEST_BYTE, Math.round(number / scales[place(k)]!))));
  return { bytes: { dtype: 'I8', shape, bytes: bytesIn(bytes) },
    scale: { dtype: 'F32', shape: [scales.length], bytes: bytesIn(scales) } };
}

function coded(tensors: Map<string, Stored>, name: string, shape: number[], numbers: readonly number[],
  code: Code): void {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  // A scale takes as much room as four bytes: of few rows halves are shorter, and nearer.
  if (code === 'bytes' && shape.length > 1 && rows * columns + 4 * columns < 2 * rows * columns) {
    const { bytes, scale } = inBytes(shape, numbers);
    tensors.set(name, bytes);
    tensors.set(name + SCALE, scale);
  } else {
    const stored = halves(shape, numbers);
    tensors.set(name, numbersIn(stored).every(Number.isFinite) ? stored : singles(shape, numbers));
  }
}

/** Packs a file of weights under the name by which documents ask for it. */
export function pack(name: string, file: WeightsFile, code: Code): Packed {
  const tensors = new Map<string, Stored>();
  const made: WeightsFile = { metadata: { name, code }, tensors };
  let rounding = 0;
  for (const one of weightsIn(file)) {
    const numbers = valuesOf(file, one);
    coded(tensors, one, file.tensors.get(one)!.shape, numbers, code);
    valuesOf(made, one).forEach((number, k) => {
      rounding = Math.max(rounding, Math.abs(number - numbers[k]!));
    });
  }
  made.metadata['rounding'] = String(rounding);
  return { name, code, text: urlSafe(deflateSync(writeWeights(made), { level: 9 })), count: countIn(file), rounding };
}

/** That a file of weights that came from elsewhere can be used; throws with the reason where it cannot. */
export function checked(bytes: Uint8Array): WeightsFile {
  const file = readWeights(bytes);
  const { size } = file.tensors;
  if (size === 0 || size > MOST_TENSORS)
    throw new Error(`a file of weights has 1 to ${MOST_TENSORS} tensors, but this one has ${size}`);
  let all = 0;
  for (const [name, { shape }] of file.tensors) {
    if (name.length > LONGEST_NAME) throw new Error(`a tensor's name has at most ${LONGEST_NAME} characters, but `
      + `one here has ${name.length}`);
    all += shape.reduce((product, extent) => product * extent, 1);
    if (!(all <= MOST_NUMBERS)) throw new Error(`a file of weights has at most ${MOST_NUMBERS} numbers, but this `
      + 'one has more');
  }
  for (const name of file.tensors.keys()) {
    const place = valuesOf(file, name).findIndex((number) => !Number.isFinite(number));
    if (place >= 0) throw new Error(`"${name}" holds something that is not a finite number at index ${place}`);
  }
  return file;
}

// As the engine reads it: numbers instead of bytes with a scale for each column.
function asFile(file: WeightsFile): Uint8Array {
  const tensors = new Map(weightsIn(file).map((name): [string, Stored] => {
    const stored = file.tensors.get(name)!;
    return [name, stored.dtype === 'I8' ? singles(stored.shape, valuesOf(file, name)) : stored];
  }));
  const { rounding } = file.metadata;
  return writeWeights({ metadata: Number(rounding) > 0 ? { rounding: rounding! } : {}, tensors });
}

/** Reads weights that came with a link. Nothing in them is trusted: throws with the reason they cannot be used. */
export function unpack(text: string): Unpacked {
  let bytes: Uint8Array;
  try {
    bytes = inflated(fromUrlSafe(text), MOST_BYTES);
  } catch (problem) {
    throw new Error(problem instanceof TooLarge ? `they inflate to ${problem.message}` : 'they are cut off or damaged',
      { cause: problem });
  }
  const file = checked(bytes);
  const { name, code, rounding } = file.metadata;
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME)
    throw new Error('they do not say which weights of the document they are');
  const known = CODES.find((one) => one === code);
  if (!known) throw new Error(`they are coded as "${String(code)}"; known: ${CODES.join(', ')}`);
  const change = Number(rounding);
  return { name, file: asFile(file), code: known, rounding: Number.isFinite(change) && change >= 0 ? change : 0 };
}
