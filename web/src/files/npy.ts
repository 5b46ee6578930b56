// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import { maximum } from '../lists.ts';
import { numberOf } from './half.ts';

export interface Numbers {
  shape: number[];
  data: number[];
}

export class NotNpy extends Error {}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const MOST = 4_000_000;

// The bytes of a file whose cells have this type and this size, and where they begin.
function begun(descr: string, shape: readonly number[], size: number): { bytes: Uint8Array; from: number } {
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${list}), }`;
  // The cells begin at a multiple of 64.
  const room = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = `${text.padEnd(room - 1)}\n`;
  const bytes = new Uint8Array(10 + room + size);
  bytes.set([...MAGIC, 1, 0, room & 255, room >> 8]);
  for (let k = 0; k < room; k++) bytes[10 + k] = header.charCodeAt(k);
  return { bytes, from: 10 + room };
}

export function writeNpy(shape: number[], data: ArrayLike<number>): Uint8Array {
  const { bytes, from } = begun('<f4', shape, 4 * data.length);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < data.length; k++) view.setFloat32(from + 4 * k, data[k] ?? 0, true);
  return bytes;
}

/** A list of texts: NumPy keeps four bytes for each letter, and as many letters for each text as the longest has. */
export function writeTexts(texts: readonly string[]): Uint8Array {
  const letters = texts.map((text) => [...text]);
  const longest = maximum(letters.map(({ length }) => length), 1);
  const { bytes, from } = begun(`<U${longest}`, [texts.length], 4 * longest * texts.length);
  const view = new DataView(bytes.buffer);
  for (const [k, text] of letters.entries())
    for (const [at, letter] of text.entries())
      view.setUint32(from + 4 * (k * longest + at), letter.codePointAt(0)!, true);
  return bytes;
}

type Read = (view: DataView, at: number, little: boolean) => number;
const KINDS: Record<string, [size: number, read: Read]> = {
  f2: [2, (v, at, le) => numberOf(v.getUint16(at, le))],
  f4: [4, (v, at, le) => v.getFloat32(at, le)],
  f8: [8, (v, at, le) => v.getFloat64(at, le)],
  i1: [1, (v, at) => v.getInt8(at)],
  i2: [2, (v, at, le) => v.getInt16(at, le)],
  i4: [4, (v, at, le) => v.getInt32(at, le)],
  i8: [8, (v, at, le) => Number(v.getBigInt64(at, le))],
  u1: [1, (v, at) => v.getUint8(at)],
  u2: [2, (v, at, le) => v.getUint16(at, le)],
  u4: [4, (v, at, le) => v.getUint32(at, le)],
  u8: [8, (v, at, le) => Number(v.getBigUint64(at, le))],
  b1: [1, (v, at) => v.getUint8(at)],
};

/** Reads a .npy file of real numbers; throws NotNpy with a sentence for people. */
export function readNpy(bytes: Uint8Array): Numbers {
  if (bytes.length < 10 || MAGIC.some((byte, k) => bytes[k] !== byte))
    throw new NotNpy('it does not begin like a .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const early = (bytes[6] ?? 1) === 1;
  const start = early ? 10 : 12;
  const length = early ? view.getUint16(8, true) : bytes.length < 12 ? 0 : view.getUint32(8, true);
  if (start + length > bytes.length) throw new NotNpy('it is cut off');
  const header = new TextDecoder().decode(bytes.subarray(start, start + length));
  const type = /'descr':\s*'([<>|=])([a-z]\d+)'/.exec(header);
  const order = /'fortran_order':\s*(True|False)/.exec(header);
  const extents = /'shape':\s*\(([\d,\s]*)\)/.exec(header);
  const found = type && KINDS[type[2] ?? ''];
  if (!type || !found || !order || !extents) throw new NotNpy('it holds something other than real numbers');
  const shape = (extents[1] ?? '').split(',').map((part) => part.trim()).filter(Boolean).map(Number);
  const count = shape.reduce((a, b) => a * b, 1);
  if (count > MOST) throw new NotNpy(`it holds ${count} numbers`);
  const [size, read] = found;
  if (start + length + count * size > bytes.length) throw new NotNpy('it is cut off');
  const flat = Array.from({ length: count }, (_, k) => read(view, start + length + k * size, type[1] !== '>'));
  return { shape, data: order[1] === 'True' ? rowMajor(flat, shape) : flat };
}

// Fortran's order lets the first index run fastest.
function rowMajor(data: number[], shape: number[]): number[] {
  return data.map((_, k) => {
    let [rest, at, step] = [k, 0, data.length];
    const index = shape.map((_extent, axis) => {
      step /= shape[axis] ?? 1;
      const here = Math.floor(rest / step);
      rest -= here * step;
      return here;
    });
    let stride = 1;
    index.forEach((here, axis) => {
      at += here * stride;
      stride *= shape[axis] ?? 1;
    });
    return data[at] ?? 0;
  });
}
