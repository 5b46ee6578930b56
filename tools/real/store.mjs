// SPDX-License-Identifier: Apache-2.0
// Writes a safetensors file: float32, or int8 with one scale for each column of a matrix.

/** The bytes of a matrix [.. r c] and the float32 scale of each column [.. 1 c]: bytes times scale is the matrix. */
export function bytesByColumn({ shape, data }) {
  const cols = shape.at(-1);
  const rows = shape.at(-2);
  const block = rows * cols;
  const scales = new Float32Array(data.length / rows);
  const bytes = new Int8Array(data.length);
  for (let at = 0; at < data.length; at += block) {
    for (let c = 0; c < cols; c++) {
      let most = 0;
      for (let r = 0; r < rows; r++) most = Math.max(most, Math.abs(data[at + r * cols + c]));
      const scale = Math.fround(most === 0 ? 1 : most / 127);
      scales[at / rows + c] = scale;
      for (let r = 0; r < rows; r++) {
        const x = at + r * cols + c;
        bytes[x] = Math.max(-127, Math.min(127, Math.round(data[x] / scale)));
      }
    }
  }
  return { bytes, scale: { shape: [...shape.slice(0, -2), 1, cols], data: scales } };
}

/** Matrices as int8 by column, vectors (biases, norms) as float32. */
function coded(parameters, ready) {
  const tensors = [];
  for (const [name, tensor] of Object.entries(parameters)) {
    // A bias of each head has two axes and is no matrix.
    const isMatrix = tensor.shape.length > 1 && !/\.b_[QKV]$/.test(name);
    if (!isMatrix) tensors.push([name, 'F32', tensor.shape, tensor.data]);
    else {
      const { bytes, scale } = ready[name] ?? bytesByColumn(tensor);
      tensors.push([name, 'I8', tensor.shape, bytes], [`${name}.scale`, 'F32', scale.shape, scale.data]);
    }
  }
  return tensors;
}

/**
 * @param {'F32' | 'I8'} type of matrices
 * @param ready matrices by name that are bytes already, with their scales
 */
export function writeStore(parameters, metadata, type, ready = {}) {
  return writeTensors(type === 'I8' ? coded(parameters, ready)
    : Object.entries(parameters).map(([name, { shape, data }]) => [name, 'F32', shape, data]), metadata);
}

/** The file of tensors, each [name, 'F32' | 'I8', shape, numbers]. */
export function writeTensors(tensors, metadata) {
  // Numbers of four bytes first: all of them then begin on a multiple of four.
  tensors.sort((a, b) => (a[1] === b[1] ? 0 : a[1] === 'F32' ? -1 : 1));
  const header = { __metadata__: metadata };
  let at = 0;
  for (const [name, dtype, shape, data] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, ' ')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded,
    ...tensors.map(([, , , data]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength))]);
}
