// SPDX-License-Identifier: Apache-2.0
// Weights as a link carries them: a file of weights in halves, or in bytes with one scale for each column, deflated.
import { deflateSync } from 'fflate';
import { fromUrlSafe, urlSafe } from './base64.ts';
import { bitsOf } from './half.ts';
import { inflated, TooLarge } from './inflate.ts';
import { sealed, sumOf, unsealed } from './checksum.ts';
import { numbersIn, readWeights, SCALE, type Stored, UNTRAINED, untrainedIn, valuesOf,
  type WeightsFile, writeWeights } from './weights.ts';

export const CODES = ['half', 'bytes'] as const;
export type Code = (typeof CODES)[number];

export interface Packed {
  name: string;
  code: Code;
  /** In letters that can stand in an address. */
  text: string;
  /** How many weights there are in the text. */
  count: number;
  /** The file that comes with the page and has the others. */
  base?: string;
  /** By how much a weight changes at most, where it is rounded. */
  rounding: number;
}

/** Weights that stay out of a link, because a file that comes with the page has the same. */
export interface Rest {
  base: string;
  names: string[];
  /** A checksum over them: with others of the same names it would be another model. */
  sum: string;
}

/** What arrived with a link; `rest`: what still has to be added from elsewhere. */
export interface Unpacked {
  name: string;
  file: Uint8Array;
  code: Code;
  rounding: number;
  rest?: Rest;
}

/** A file of weights that comes with the page, by its name. */
export interface Base {
  name: string;
  file: WeightsFile;
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

const alike = (one: Stored | undefined, other: Stored | undefined): boolean => (!one || !other ? one === other
  : one.dtype === other.dtype && one.shape.join() === other.shape.join() && one.bytes.length === other.bytes.length
    && one.bytes.every((byte, k) => byte === other.bytes[k]));

// A weight with its scale, where it has one.
const withScale = (name: string): string[] => [name, name + SCALE];

/** The weights of a file that another one does not have. */
export const differing = (file: WeightsFile, base: WeightsFile | undefined): string[] =>
  weightsIn(file).filter((name) =>
    !base || withScale(name).some((one) => !alike(file.tensors.get(one), base.tensors.get(one))));

const restOf = ({ tensors }: WeightsFile, names: readonly string[]): string => names.flatMap(withScale)
  .reduce((sum, name) => sumOf(tensors.get(name)?.bytes ?? new Uint8Array(), sum), 0).toString(36);

// Releases that do not know of a base refuse this code, and say so.
const ON_BASE = '+base';

/** Packs a file of weights under the name by which documents ask for it; without those that `base` has. */
export function pack(name: string, file: WeightsFile, code: Code, base?: Base): Packed {
  const tensors = new Map<string, Stored>();
  const sent = differing(file, base?.file);
  const left = weightsIn(file).filter((one) => !sent.includes(one));
  const rest: Record<string, string> = base && left.length > 0 ? { code: code + ON_BASE, base: base.name,
    rest: JSON.stringify(left), sum: restOf(base.file, left) } : {};
  const still = untrainedIn(file);
  const made: WeightsFile = { metadata: { name, code, ...rest,
    ...(still.length > 0 ? { [UNTRAINED]: JSON.stringify(still) } : {}) }, tensors };
  let rounding = 0;
  let count = 0;
  for (const one of sent) {
    const numbers = valuesOf(file, one);
    count += numbers.length;
    coded(tensors, one, file.tensors.get(one)!.shape, numbers, code);
    valuesOf(made, one).forEach((number, k) => {
      rounding = Math.max(rounding, Math.abs(number - numbers[k]!));
    });
  }
  made.metadata['rounding'] = String(rounding);
  return { name, code, text: urlSafe(sealed(deflateSync(writeWeights(made), { level: 9 }))), count, rounding,
    ...(rest['base'] === undefined ? {} : { base: rest['base'] }) };
}

/** That a file of weights that came from elsewhere can be used; throws with the reason where it cannot. */
export function checked(bytes: Uint8Array): WeightsFile {
  const file = readWeights(bytes);
  const { size } = file.tensors;
  // Where all are those of another file, none are in this one.
  if ((size === 0 && file.metadata['base'] === undefined) || size > MOST_TENSORS)
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
  const { rounding, base } = file.metadata;
  const still = untrainedIn(file);
  return writeWeights({ metadata: { ...(Number(rounding) > 0 ? { rounding: rounding! } : {}),
    ...(base === undefined ? {} : { base }), ...(still.length > 0 ? { [UNTRAINED]: JSON.stringify(still) } : {}) },
  tensors });
}

function restIn({ base, rest, sum }: Record<string, unknown>): Rest | undefined {
  if (base === undefined) return undefined;
  try {
    const names: unknown = JSON.parse(String(rest));
    if (typeof base === 'string' && typeof sum === 'string' && Array.isArray(names) && names.length <= MOST_TENSORS
      && names.every((name) => typeof name === 'string' && name.length <= LONGEST_NAME))
      return { base, names: names as string[], sum };
  } catch {
    // Said below.
  }
  throw new Error('they do not say which other weights belong to them');
}

/** The whole file: what came with a link, and the weights that stayed out of it, from the file that has them. */
export function completed({ file, rest }: Unpacked, base: WeightsFile): Uint8Array {
  const { metadata, tensors } = readWeights(file);
  if (!rest) return file;
  if (rest.names.some((name) => !base.tensors.has(name)) || restOf(base, rest.names) !== rest.sum)
    throw new Error(`they belong to other weights than those of "${rest.base}" on this page`);
  for (const name of rest.names.flatMap(withScale)) {
    const stored = base.tensors.get(name);
    if (stored) tensors.set(name, stored);
  }
  return writeWeights({ metadata, tensors });
}

/** Reads weights that came with a link. Nothing in them is trusted: throws with the reason they cannot be used. */
export function unpack(text: string): Unpacked {
  let bytes: Uint8Array;
  try {
    bytes = inflated(unsealed(fromUrlSafe(text)), MOST_BYTES);
  } catch (problem) {
    throw new Error(problem instanceof TooLarge ? `they inflate to ${problem.message}` : 'they are cut off or damaged',
      { cause: problem });
  }
  const file = checked(bytes);
  const { name, code, rounding } = file.metadata;
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME)
    throw new Error('they do not say which weights of the document they are');
  const rest = restIn(file.metadata);
  const known = CODES.find((one) => (rest ? one + ON_BASE : one) === code);
  if (!known) throw new Error(`they are coded as "${String(code)}"; known: ${CODES.join(', ')}`);
  const change = Number(rounding);
  return { name, file: asFile(file), code: known, rounding: Number.isFinite(change) && change >= 0 ? change : 0,
    ...(rest ? { rest } : {}) };
}
