// SPDX-License-Identifier: Apache-2.0
// Knobs that a rule ties to another number: a slider offers what keeps the rule, and nothing else.
import { expect, test } from 'vitest';
import { beside, keeps, keptDefault, nearest, offered, sizeOf, type Tie } from '../src/controls/rule.ts';
import type { Directory, Knob, KnobRule } from '../src/engine/types.ts';

const divides: KnobRule = { relation: 'divides', of: 'count' };
const groups: Knob = { name: 'groups', title: 'Key heads', type: 'integer', default: 2, minimum: 1, maximum: 16,
  rule: divides };
const count: Knob = { name: 'count', title: 'Heads', type: 'integer', default: 4, minimum: 1, maximum: 16 };
const tie = (other: number, back = false, rule = divides): Tie => ({ rule, other, back });

test('the slider of what divides offers the divisors', () => {
  expect(offered(groups, [tie(4)])).toEqual([1, 2, 4]);
  expect(offered(groups, [tie(12)])).toEqual([1, 2, 3, 4, 6, 12]);
  expect(offered(groups, [tie(7)])).toEqual([1, 7]);
});

test('the slider of what is divided offers multiples of a given divisor', () => {
  expect(offered(count, [tie(3, true)])).toEqual([3, 6, 9, 12, 15]);
  expect(offered(count, [tie(1, true)])).toHaveLength(16);
});

test('a knob without a rule is free, and so is one of which no number on the slider keeps it', () => {
  expect(offered(count, [])).toBeUndefined();
  expect(offered({ ...groups, minimum: 5, maximum: 7 }, [tie(4)])).toBeUndefined();
});

test('the other rules', () => {
  expect(offered(groups, [tie(5, false, { relation: 'multiple_of', of: 'n' })])).toEqual([5, 10, 15]);
  expect(offered(groups, [tie(3, false, { relation: 'at_most', of: 'n' })])).toEqual([1, 2, 3]);
});

test('a slider stops at the nearest number offered, and an arrow key goes to the next', () => {
  expect(nearest([1, 2, 4], 3.4)).toBe(4);
  expect(nearest([1, 2, 4], 2.9)).toBe(2);
  expect(beside([1, 2, 4], 2, true)).toBe(4);
  expect(beside([1, 2, 4], 2, false)).toBe(1);
  expect(beside([1, 2, 4], 4, true)).toBe(4);
});

test('a default gives way to the rule, as the engine lets it', () => {
  expect(keptDefault(groups, 4)).toBe(2);
  expect(keptDefault(groups, 5)).toBe(1);
  expect(keptDefault({ ...groups, default: 6 }, 9)).toBe(3);
  expect(keptDefault({ ...groups, rule: { relation: 'multiple_of', of: 'n' } }, 5)).toBe(5);
  expect(keptDefault({ ...groups, rule: { relation: 'at_most', of: 'n' } }, 1)).toBe(1);
  expect(keptDefault(groups, undefined)).toBe(2);
  for (let of = 1; of < 40; of++) expect(keeps(divides, keptDefault(groups, of) as number, of)).toBe(true);
});

test('a rule may name a size of the result', () => {
  const directory = { tensors: [{ axes: ['h', 'n'], shape: [4, 7] }] } as unknown as Directory;
  expect(sizeOf(directory, 'n')).toBe(7);
  expect(sizeOf(directory, 'x')).toBeUndefined();
});
