// SPDX-License-Identifier: Apache-2.0
// Numbers for a first picture, until the engine has computed them: the upper three bytes of each float
// (five digits), the bytes of one rank together because they are alike.
const KEPT = 3;

export function shorten(numbers: Float32Array): Uint8Array {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const bytes = new Uint8Array(bits.length * KEPT);
  bits.forEach((word, k) => {
    const rounded = word + 0x80;
    for (let rank = 0; rank < KEPT; rank++) bytes[rank * bits.length + k] = rounded >>> (24 - 8 * rank);
  });
  return bytes;
}

export function lengthen(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(bytes.length / KEPT);
  for (let k = 0; k < bits.length; k++) {
    for (let rank = 0; rank < KEPT; rank++) bits[k] = bits[k]! | (bytes[rank * bits.length + k]! << (24 - 8 * rank));
  }
  return new Float32Array(bits.buffer);
}
