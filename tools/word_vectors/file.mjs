// SPDX-License-Identifier: Apache-2.0
// The file of word vectors, as data/words/README.md describes it.

const UNITS = 4096;
const LARGEST = 127;

/** Every column as whole numbers from -127 to 127, and what one of them is worth, in 4096ths: exact in a float. */
export function quantise(rows) {
  const scales = rows[0].map((_, c) =>
    Math.ceil((rows.reduce((most, row) => Math.max(most, Math.abs(row[c])), 0) / LARGEST) * UNITS));
  return { scales, bytes: rows.map((row) => row.map((x, c) => Math.round((x * UNITS) / scales[c]))) };
}

/** The numbers that the engine reads from it. */
export const valueOf = (byte, scale) => (byte * scale) / UNITS;

export function encode({ words, scales, bytes, whole }) {
  const head = `attention-words/1 ${words.length} ${scales.length} ${whole ? 'whole'
    : 'part'}\n${scales.join(' ')}\n${words.join('\n')}\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(Int8Array.from(bytes.flat()).buffer)]);
}

export function decode(file) {
  let at = 0;
  const line = () => {
    const end = file.indexOf(10, at);
    const text = file.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const [, count, width, extent] = line().split(' ');
  const scales = line().split(' ').map(Number);
  const words = Array.from({ length: Number(count) }, line);
  const bytes = words.map((_, k) =>
    Array.from({ length: Number(width) }, (__, c) => file.readInt8(at + k * Number(width) + c)));
  return { words, scales, bytes, whole: extent === 'whole' };
}
