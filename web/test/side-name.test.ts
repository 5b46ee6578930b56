// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isDefault, sideName, withNumbers } from '../src/compare/side-names.ts';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { book } from './runs.ts';

const of = (more: JsonObject): Doc => ({ schema: 's', title: 'Turning', inputs: { x: { tokens: ['a', 'b'] } },
  mechanism: { query: 'self-attention', score: 'dot', alignment: 'softmax', ...more } }) as unknown as Doc;
const names = (one: Doc, other: Doc) => {
  const { own, lacks } = sideName(book, one, other);
  return [own.map(({ mechanism }) => mechanism!.id), lacks];
};
const rope = book.find('position', 'pos-rope')!.title;
const [turned, plain] = [of({ position: ['pos-rope'] }), of({})];

test('a side without a position is called by what it lacks, not by what both have', () => {
  expect(names(turned, plain)).toEqual([['pos-rope'], []]);
  expect(names(plain, turned)).toEqual([[], [rope]]);
  expect(names(of({ position: [] }), turned)).toEqual([[], [rope]]);
});

test('what replaces a part is named alone', () => {
  const other = of({ position: ['pos-alibi'] });
  expect(names(other, turned)).toEqual([['pos-alibi'], []]);
  expect(names(turned, other)).toEqual([['pos-rope'], []]);
});

test('of a list only what differs is named, wherever it is in it', () => {
  const both = of({ mask: ['mask-causal', 'mask-window'] });
  expect(names(of({ mask: ['mask-window'] }), both)).toEqual([[], [book.find('mask', 'mask-causal')!.title]]);
  expect(names(both, of({ mask: ['mask-window'] }))).toEqual([['mask-causal'], []]);
});

test('two sides that are the same have no name of their own', () => {
  expect(names(turned, structuredClone(turned))).toEqual([[], []]);
});

test('of two sides with the same mechanism each is called with the numbers that differ', () => {
  const warm = of({ alignment: { type: 'softmax-temperature', temperature: 0.5 } });
  const plain = of({ alignment: { type: 'softmax-temperature' } });
  const called = (one: Doc, other: Doc) => {
    const [choice] = sideName(book, one, other).own;
    return withNumbers(choice!, book.choices(other));
  };
  const { title, knobs } = book.find('alignment', 'softmax-temperature')!;
  const knob = knobs.find(({ name }) => name === 'temperature')!;
  expect(called(warm, plain)).toBe(`${title} (${knob.title}: 0.5)`);
  expect(called(plain, warm)).toBe(`${title} (${knob.title}: ${Number(knob.default)})`);
  expect(called(warm, of({})), 'another mechanism is named alone').toBe(title);
  const scaled = (one: Doc, other: Doc) => called(one, other).split('(')[1];
  expect(scaled(of({ score: { type: 'scaled-dot' } }), of({ score: { type: 'scaled-dot', scale: 1 } })))
    .toContain('1/√dk');
});

test('the formula of a mechanism is that of its defaults', () => {
  const [first] = sideName(book, of({ score: { type: 'scaled-dot' } }), of({ score: 'dot' })).own;
  const [changed] = sideName(book, of({ score: { type: 'scaled-dot', scale: 1 } }), of({ score: 'dot' })).own;
  expect([first, changed].map((choice) => isDefault(choice!))).toEqual([true, false]);
});
