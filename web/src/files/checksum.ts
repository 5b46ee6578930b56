// SPDX-License-Identifier: Apache-2.0
// A checksum behind what is deflated in a link. Whoever inflates stops before it, so that releases without it open such
// a link too; links of those releases end without one.

/** It is not what was sealed. */
export class Broken extends Error {}

const MARK = [0x41, 0x50, 0x6c, 0x31];
const SUM = 4;

/** CRC-32, as in PNG and ZIP. */
export function sumOf(bytes: Uint8Array, before = 0): number {
  let sum = ~before;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** The same bytes with their checksum behind them. */
export function sealed(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + SUM + MARK.length);
  whole.set(bytes);
  new DataView(whole.buffer).setUint32(bytes.length, sumOf(bytes));
  whole.set(MARK, bytes.length + SUM);
  return whole;
}

/** What was sealed; the bytes themselves where they have no checksum. Throws Broken where it is that of others. */
export function unsealed(whole: Uint8Array): Uint8Array {
  const end = whole.length - SUM - MARK.length;
  if (end < 0 || !MARK.every((byte, k) => whole[end + SUM + k] === byte)) return whole;
  const bytes = whole.subarray(0, end);
  if (new DataView(whole.buffer, whole.byteOffset).getUint32(end) !== sumOf(bytes)) throw new Broken('checksum');
  return bytes;
}
