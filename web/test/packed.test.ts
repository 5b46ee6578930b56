// SPDX-License-Identifier: Apache-2.0
// Weights as links carry them: nearly the same numbers come back, and what is made to do harm is refused in words.
import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlSafe } from '../src/files/base64.ts';
import { bitsOf, numberOf } from '../src/files/half.ts';
import { checked, CODES, countIn, pack, unpack, weightsIn } from '../src/files/packed.ts';
import { readWeights, type Stored, valuesOf, type WeightsFile, writeWeights } from '../src/files/weights.ts';

const folder = '../examples/trained/'; // these tests run in web/
const shipped = readdirSync(folder).filter((name) => name.endsWith('.safetensors'));
const bytesIn = (numbers: Float32Array) => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const f32 = (shape: number[], numbers: number[]): Stored =>
  ({ dtype: 'F32', shape, bytes: bytesIn(Float32Array.from(numbers)) });
const file = (tensors: Record<string, Stored>): WeightsFile =>
  ({ metadata: {}, tensors: new Map(Object.entries(tensors)) });
const all = (one: WeightsFile) => weightsIn(one).map((name) => [name, valuesOf(one, name)] as const);

describe('halves', () => {
  it('come back from every pattern of bits, and are the nearest to a number', () => {
    const wrong = Array.from({ length: 65_536 }, (_, bits) => bits).filter((bits) =>
      (Number.isNaN(numberOf(bits)) ? !Number.isNaN(numberOf(bitsOf(NaN))) : bitsOf(numberOf(bits)) !== bits));
    expect(wrong).toEqual([]);
    fc.assert(fc.property(fc.double({ min: -65_000, max: 65_000, noNaN: true }), (number) => {
      const bits = bitsOf(number);
      const gap = Math.abs(numberOf(bits) - number);
      for (const other of [bits - 1, bits + 1]) {
        const near = numberOf(other & 0xffff);
        if (Number.isFinite(near)) expect(gap).toBeLessThanOrEqual(Math.abs(near - number));
      }
    }), { seed: 3, numRuns: 2000 });
    expect([bitsOf(65_519), bitsOf(65_520), bitsOf(-1e300)]).toEqual([0x7bff, 0x7c00, 0xfc00]);
  });
});

describe('packed weights', () => {
  it('of every shipped model are the same in halves, which they were trained to, and fit into a link', () => {
    expect(shipped.length).toBe(7);
    for (const name of shipped) {
      const given = readWeights(readFileSync(folder + name));
      const packed = pack(name, given, 'half');
      expect([packed.rounding, packed.count], name).toEqual([0, countIn(given)]);
      expect(packed.text.length, name).toBeLessThan(96_000);
      const back = unpack(packed.text);
      expect([back.name, back.code, back.rounding]).toEqual([name, 'half', 0]);
      expect(JSON.stringify(all(readWeights(back.file))) === JSON.stringify(all(given)), name).toBe(true);
    }
  });

  it('in bytes differ by no more than they say, which is half a step of their column', () => {
    for (const name of shipped) {
      const given = readWeights(readFileSync(folder + name));
      const packed = pack(name, given, 'bytes');
      const back = readWeights(unpack(packed.text).file);
      expect(unpack(packed.text).rounding).toBe(packed.rounding);
      expect(packed.text.length).toBeLessThan(0.7 * pack(name, given, 'half').text.length);
      let most = 0;
      for (const [one, numbers] of all(given)) {
        const found = valuesOf(back, one);
        const columns = given.tensors.get(one)!.shape.at(-1) ?? 1;
        const rows = given.tensors.get(one)!.shape.at(-2) ?? 1;
        numbers.forEach((number, k) => {
          const first = Math.floor(k / (rows * columns)) * rows * columns + (k % columns);
          const column = Array.from({ length: rows }, (_, row) => Math.abs(numbers[first + row * columns]!));
          const gap = Math.abs(found[k]! - number);
          most = Math.max(most, gap);
          if (gap > (Math.max(...column) / 254) * 1.0001 + 1e-12) throw new Error(`${name} ${one} ${k}: ${gap}`);
        });
      }
      expect(most).toBe(packed.rounding);
      // Those that were rounded once are not rounded further.
      const again = pack(name, back, 'bytes');
      expect(again.rounding).toBeLessThan(1e-6);
    }
  });

  it('keep numbers that no half can hold, and leave out what an optimiser remembers', () => {
    const given = file({ big: f32([2], [1e6, -3]), zero: f32([8, 2], Array(16).fill(0)),
      'optimiser.first.big': f32([2], [7, 7]) });
    for (const code of CODES) {
      const { file: bytes } = unpack(pack('x', given, code).text);
      expect(all(readWeights(bytes)), code).toEqual([['big', [1e6, -3]], ['zero', Array(16).fill(0)]]);
    }
  });
});

const link = (one: WeightsFile | Uint8Array) =>
  urlSafe(deflateSync(one instanceof Uint8Array ? one : writeWeights(one)));
const meta = { name: 'x', code: 'half' };
const headed = (header: object, numbers = 0): Uint8Array => {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + numbers);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
};

describe('weights of a stranger', () => {
  const refused: [string, string, RegExp][] = [
    ['nothing', '', /cut off or damaged|not a file of weights/],
    ['no base64', '!!!', /cut off or damaged/],
    ['cut off', pack('x', file({ w: f32([64], Array(64).fill(0.3)) }), 'half').text.slice(0, -12),
      /cut off|damaged|no file|outside/],
    ['NaN', link({ metadata: meta, tensors: new Map([['w', f32([3], [1, NaN, 2])]]) }),
      /"w" holds something that is not a finite number at index 1/],
    ['an infinity', link({ metadata: meta, tensors: new Map([['w', f32([1], [Infinity])]]) }), /not a finite number/],
    ['a half that is infinite', link({ metadata: meta, tensors: new Map([['w', { dtype: 'F16', shape: [1],
      bytes: Uint8Array.of(0, 0x7c) }]]) }), /not a finite number/],
    ['bytes without a scale', link({ metadata: meta, tensors: new Map([['w', { dtype: 'I8', shape: [2, 2],
      bytes: new Uint8Array(4) }]]) }),
      /"w" holds 8-bit integers: it needs 1 scale or 2, one for each column, and has 0/],
    ['too few scales', link({ metadata: meta, tensors: new Map([['w', { dtype: 'I8', shape: [2, 3],
      bytes: new Uint8Array(6) }], ['w.scale', f32([2], [1, 1])]]) }), /needs 1 scale or 3/],
    ['a scale that is infinite', link({ metadata: meta, tensors: new Map([['w', { dtype: 'I8', shape: [2],
      bytes: Uint8Array.of(1, 2) }], ['w.scale', f32([1], [Infinity])]]) }), /not a finite number/],
    ['a type that nobody knows', link({ metadata: meta, tensors: new Map([['w', { dtype: 'U4', shape: [2],
      bytes: new Uint8Array(1) }]]) }), /type U4/],
    ['a length that lies', link(headed({ w: { dtype: 'F16', shape: [4], data_offsets: [0, 4] } }, 4)), /needs 8 bytes/],
    ['numbers outside', link(headed({ w: { dtype: 'F16', shape: [4], data_offsets: [0, 8] } }, 4)), /outside the file/],
    ['a shape too large to count', link(headed({ w: { dtype: 'F16', shape: [2 ** 40, 2 ** 40],
      data_offsets: [0, 8] } }, 8)), /needs/],
    ['one place read many times over', link(headed(Object.fromEntries([['__metadata__', meta],
      ...Array.from({ length: 60 }, (_, k) => [`w${k}`, { dtype: 'I8', shape: [100_000],
        data_offsets: [0, 100_000] }])]), 100_000)), /at most 4000000 numbers/],
    ['many tensors', link(headed(Object.fromEntries(Array.from({ length: 5000 }, (_, k) =>
      [`w${k}`, { dtype: 'F16', shape: [0], data_offsets: [0, 0] }])))), /1 to 4096 tensors, but this one has 5000/],
    ['no tensors', link({ metadata: meta, tensors: new Map() }), /1 to 4096 tensors/],
    ['a long name', link({ metadata: meta, tensors: new Map([['w'.repeat(300), f32([1], [1])]]) }), /at most 200/],
    ['no name', link({ metadata: { code: 'half' }, tensors: new Map([['w', f32([1], [1])]]) }), /which weights/],
    ['no code', link({ metadata: { name: 'x', code: 'ternary' }, tensors: new Map([['w', f32([1], [1])]]) }),
      /coded as "ternary"; known: half, bytes/],
    ['a header that is none', link(headed([1, 2])), /is not a JSON object/],
    ['a bomb', urlSafe(deflateSync(new Uint8Array(30_000_000))), /inflate to more than/],
  ];
  it.each(refused)('are refused in words: %s', (_, text, why) => {
    expect(() => unpack(text)).toThrow(why);
  });

  it('never hang or bring a number that is not finite, whatever is changed in them', () => {
    const whole = writeWeights({ metadata: meta, tensors: new Map([['a.W', f32([6, 4], Array(24).fill(0.25))],
      ['b', { dtype: 'I8', shape: [3], bytes: Uint8Array.of(1, 2, 3) }], ['b.scale', f32([1], [0.5])]]) });
    let read = 0;
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const bytes = whole.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        try {
          for (const [, numbers] of all(checked(bytes))) expect(numbers.every(Number.isFinite)).toBe(true);
          read++;
        } catch (problem) {
          expect(problem).toBeInstanceOf(Error);
        }
      }), { seed: 5, numRuns: 3000 });
    expect(read).toBeGreaterThan(100);
  });
});
