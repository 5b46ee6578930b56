// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { colourOf, goesBelow, hasNegative, luminance } from '../src/colour/scale.ts';
import { kindOf } from '../src/directory/naming.ts';
import { scaleOf } from '../src/efficient/maps.ts';
import { namesWithRoom } from '../src/elements/labels.ts';
import { append, maximum, minimum } from '../src/lists.ts';

const map = (...data: number[]) => ({ group: 'outputs' as const, kind: 'probability' as const, role: 'weights' as const,
  shape: [1, data.length], axes: ['m', 'n'], data: Float32Array.from(data),
  dimensions: [{ role: 'query' as const }, { role: 'key' as const }] });

it('weights below zero have a scale that goes both ways, and what rounding leaves of a zero has not', () => {
  expect(kindOf(map(0.5, 0.5, 0))).toBe('weights');
  expect(kindOf(map(0.8, -0.2, 0.4))).toBe('signed');
  expect(kindOf(map(1, -1e-9, 0))).toBe('weights');
  expect([goesBelow(-0.1, 1), goesBelow(-1e-8, 1), hasNegative(new Float32Array())]).toEqual([true, false, false]);
  const [a, b] = [Float32Array.of(0.7, 0.3), Float32Array.of(1.2, -0.2)];
  const { kind, domain } = scaleOf({ a, b });
  expect([kind, domain[0]]).toEqual(['signed', -domain[1]]);
  expect(domain[1]).toBeCloseTo(1.2);
  expect(scaleOf({ a, b: a }).kind).toBe('weights');
});

it('signed numbers of a tenth of the scale are seen on a dark page', () => {
  const light = (value: number) => luminance(colourOf(value, [-1, 1], 'signed', 'dark').fill);
  for (const value of [-0.1, 0.1]) expect(light(value)).toBeGreaterThan(1.5 * light(0));
  for (const side of [-1, 1]) expect(light(side)).toBeGreaterThan(light(side * 0.5));
});

it('slanted names that would lie over one another are thinned, and the chosen one stays', () => {
  expect(namesWithRoom(4, 40, undefined)).toEqual([0, 1, 2, 3]);
  expect(namesWithRoom(8, 8, undefined)).toEqual([0, 2, 4, 6]);
  expect(namesWithRoom(8, 8, 5)).toEqual([0, 2, 5]);
  expect(namesWithRoom(8, 40, 12)).toHaveLength(8);
});

it('lists are as long as they like', () => {
  const many = Array.from({ length: 400_000 }, (_, k) => k % 1000);
  const all: number[] = [];
  append(all, many);
  expect([maximum(many), minimum(many), all.length, maximum([], 3), minimum([])]).toEqual([999, 0, 400_000, 3,
    Infinity]);
});
