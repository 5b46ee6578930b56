// SPDX-License-Identifier: Apache-2.0
// The weights that `attend train` wrote as float32, and the file that ships: int8 by column.
import { bytesByColumn, writeTensors } from '../real/store.mjs';

/** A scale for each column costs four bytes, so that bytes save nothing in a matrix of fewer rows. */
const FEWEST_ROWS = 4;

/** The metadata and the tensors of a safetensors file of float32. */
export function readFloats(file) {
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: metadata, ...entries } = JSON.parse(file.subarray(8, 8 + length).toString());
  const tensors = Object.fromEntries(Object.entries(entries).map(([name, { dtype, shape, data_offsets: range }]) => {
    const [from, to] = range;
    if (dtype !== 'F32') throw new Error(`${name}: expected float32, found ${dtype}`);
    const numbers = new Float32Array((to - from) / 4);
    for (let k = 0; k < numbers.length; k++) numbers[k] = file.readFloatLE(8 + length + from + 4 * k);
    return [name, { shape, data: numbers }];
  }));
  return { metadata, tensors };
}

/** How many numbers were learned. */
export const countOf = (tensors) => Object.values(tensors).reduce((sum, { data }) => sum + data.length, 0);

/** Matrices as int8 with a float32 scale for each column; vectors and matrices of few rows as float32. */
export function packed({ metadata, tensors }) {
  return writeTensors(Object.entries(tensors).flatMap(([name, tensor]) => {
    if (tensor.shape.length < 2 || tensor.shape.at(-2) < FEWEST_ROWS)
      return [[name, 'F32', tensor.shape, tensor.data]];
    const { bytes, scale } = bytesByColumn(tensor);
    return [[name, 'I8', tensor.shape, bytes], [`${name}.scale`, 'F32', scale.shape, scale.data]];
  }), metadata);
}
