// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import { numberOf } from './half.ts';

export interface Numbers {
  shape: number[];
  data: number[];
}

export class NotNpy extends Error {}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const MOST = 4_000_000;

// Everything before the numbers, with room for so many bytes behind it, and where these begin.
function npyFile(descr: string, shape: readonly number[], size: number): [file: DataView, start: number] {
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${list}), }`;
  // The numbers begin at a multiple of 64.
  const room = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = `${text.padEnd(room - 1)}\n`;
  const bytes = new Uint8Array(10 + room + size);
  bytes.set([...MAGIC, 1, 0, room & 255, room >> 8]);
  for (let k = 0; k < room; k++) bytes[10 + k] = header.charCodeAt(k);
  return [new DataView(bytes.buffer), 10 + room];
}

/** What comes before the numbers of a file of single precision. */
export const npyHead = (shape: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(npyFile('<f4', shape, 0)[0].buffer as ArrayBuffer);

/** Numbers in single precision as such a file has them, on a machine of whatever order. */
export function littleEndian(data: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * data.length));
  for (let k = 0; k < data.length; k++) view.setFloat32(4 * k, data[k] ?? 0, true);
  return new Uint8Array(view.buffer);
}

/** A list of texts as NumPy's array of strings: each has as many code points as the longest. */
export function writeNpyText(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const points = texts.map((text) => [...text]);
  const width = points.reduce((most, { length }) => Math.max(most, length), 1);
  const [view, start] = npyFile(`<U${width}`, [texts.length], 4 * width * texts.length);
  points.forEach((list, k) => list.forEach((letter, at) =>
    view.setUint32(start + 4 * (k * width + at), letter.codePointAt(0)!, true)));
  return new Uint8Array(view.buffer as ArrayBuffer);
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
