// SPDX-License-Identifier: Apache-2.0
// Pictures as a model's preprocessor makes them; the wanted levels are those of torch's antialiased interpolation of
// the same picture, rounded between the two passes.
import { describe, expect, it } from 'vitest';
import { inputOf } from '../src/image/pixels.ts';
import { colourOf, Colours, prepared, resizing } from '../src/image/prepare.ts';
import { resample } from '../src/image/resample.ts';
import { likeliest } from '../src/models/classes.ts';

const picture = (w: number, h: number): Uint8ClampedArray => Uint8ClampedArray.from({ length: w * h * 4 }, (_, k) => {
  const [c, x, y] = [k % 4, Math.floor(k / 4) % w, Math.floor(k / 4 / w)];
  return c === 3 ? 255 : (x * x * 7 + y * 31 * (c + 1) + x * y * (5 + c) + c * 40) % 256;
});
const from = { w: 13, h: 9 };
const bytes = picture(from.w, from.h);
const resized = async (w: number, h: number, filter: number | undefined, window = { x: 0, y: 0, w, h }) =>
  [...await resample(bytes, from, { w, h }, window, filter)];

describe('a picture is resized as preprocessors do', () => {
  it('bilinear and bicubic, smaller and larger', async () => {
    const wanted: [number, number, number, number[]][] = [
      [5, 4, 2, [44, 107, 118, 119, 138, 126, 145, 139, 144, 110, 156, 102, 136, 143, 133, 117, 150, 119, 134, 128, 136,
        127, 140, 157, 114, 128, 150, 115, 148, 143, 160, 120, 127, 133, 149, 130, 141, 123, 172, 136, 111, 156, 138,
        147, 139, 116, 101, 120, 115, 146, 120, 142, 148, 157, 154, 153, 122, 158, 147, 127]],
      [16, 11, 2, [0, 40, 80, 5, 45, 85, 18, 58, 98, 40, 80, 120, 71, 111, 151, 110, 150, 190, 161, 201, 241, 221, 109,
        149, 185, 73, 113, 110, 150, 134, 188, 228, 20, 76, 116, 116, 142, 182, 54, 137, 177, 81, 124, 92]],
      [5, 4, 3, [31, 103, 117, 120, 139, 126, 151, 139, 148, 104, 161, 92, 139, 141, 135, 119, 154, 113, 139, 125, 136,
        121, 142, 159, 114, 125, 154, 115, 148, 143, 167, 115, 131, 131, 152, 129, 147, 125, 178, 136, 103, 160, 132,
        148, 134, 115, 97, 120, 111, 147, 119, 140, 150, 160, 157, 156, 117, 160, 146, 127]],
      [16, 11, 3, [0, 38, 76, 3, 41, 80, 14, 53, 91, 36, 75, 117, 68, 107, 156, 108, 146, 195, 157, 223, 255, 242, 102,
        139, 193, 48, 103, 95, 152, 148, 198, 237, 10, 62, 100, 130, 154, 193, 40, 139, 193, 75, 111, 81]],
    ];
    for (const [w, h, filter, levels] of wanted) {
      const found = (await resized(w, h, filter)).slice(0, levels.length);
      expect(found, `${w} ${filter}`).toEqual(levels);
    }
  });

  it('the same size changes nothing, and an unknown filter is bilinear', async () => {
    const plain = [...bytes].filter((_, k) => k % 4 !== 3);
    for (const filter of [1, 2, 3]) expect(await resized(13, 9, filter)).toEqual(plain);
    expect(await resized(5, 4, 9)).toEqual(await resized(5, 4, 2));
  });

  it('a window is a part of the whole', async () => {
    const all = await resized(8, 6, 3);
    const window = { x: 2, y: 1, w: 4, h: 3 };
    const part = await resized(8, 6, 3, window);
    expect(part).toEqual(Array.from({ length: 36 }, (_, k) =>
      all[((1 + Math.floor(k / 12)) * 8 + 2 + Math.floor((k % 12) / 3)) * 3 + (k % 3)]));
  });

  it('to the side, the edge or the model’s size', () => {
    const size = { width: 224, height: 224 };
    expect(resizing(640, 480, size, {})).toEqual({ to: { w: 224, h: 224 }, window: { x: 0, y: 0, w: 224, h: 224 } });
    expect(resizing(640, 480, size, { side: 256 })).toEqual({ to: { w: 256, h: 256 },
      window: { x: 16, y: 16, w: 224, h: 224 } });
    expect(resizing(640, 480, size, { edge: 248.9 })).toEqual({ to: { w: 330, h: 248 },
      window: { x: 53, y: 12, w: 224, h: 224 } });
    // What is smaller than what the model reads cannot be meant.
    expect(resizing(640, 480, size, { edge: 100, side: 100 }).to).toEqual({ w: 224, h: 224 });
  });
});

describe('colours become the model’s numbers', () => {
  it('by mean, deviation and scale, one half each where nothing says them', () => {
    expect([0, 0.5, 1].map((x) => prepared(x, 0, {}))).toEqual([-1, 0, 1]);
    const how = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };
    expect(prepared(1, 2, how)).toBeCloseTo((1 - 0.406) / 0.225, 5);
    expect(prepared(1, 0, { mean: 0, std: 1, rescale: 1 })).toBe(255);
    for (const colour of [0, 0.25, 1]) expect(colourOf(prepared(colour, 1, how), 1, how)).toBeCloseTo(colour, 5);
    expect(inputOf([0, 0.5, 1], { height: 1, width: 1, channels: 3 }, how)['data'])
      .toEqual([-2.11790, 0.19643, 2.64]);
  });

  it('once for an input', () => {
    const [colours, how, input] = [new Colours(), { mean: 0.5, std: 0.5 }, {}];
    const numbers = { data: [-1, 1, 3], shape: [1, 1, 3] };
    const first = colours.of(numbers, input, how);
    expect([...Array.from(first)]).toEqual([0, 1, 1]);
    expect(colours.of(numbers, input, how)).toBe(first);
    expect(colours.of(numbers, {}, how)).not.toBe(first);
  });
});

it('the likeliest classes come first, with numbers where there are no labels', () => {
  const data = Float32Array.of(0.25, 0.5, 0.25);
  expect(likeliest({ data }, ['a', 'b'], 3).map(({ id, label }) => [id, label]))
    .toEqual([[1, 'b'], [0, 'a'], [2, undefined]]);
  expect(likeliest({ data }, undefined, 1)).toHaveLength(1);
});
