// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory, Doc } from '../src/engine/types.ts';
import { weightsOf } from '../src/directory/modules.ts';
import { divided, filled, headOnShow, kin, strongest, WITH_NUMBERS } from '../src/first/notice.ts';
import { spread } from '../src/first/margin.ts';
import { noteOf } from '../src/first/notes.ts';
import { isSeeded } from '../src/state/seeded.ts';
import type { Store } from '../src/state/store.ts';
import { asTitled } from '../src/take/changed-title.ts';
import { fileName } from '../src/state/save.ts';
import { isOtherPreset } from '../src/first/preset-shapes.ts';
import { output } from './directory.ts';
import { WHOLE } from './whole.ts';
import arabic from '../src/strings/ar.ts';
import example from '../src/state/example.json';

import { SAMPLES } from '../src/inputs/answer.ts';

const here = import.meta.dirname;
const read = (path: string) => JSON.parse(readFileSync(join(here, path), 'utf8'));
const presets = (read('../presets/gallery.json') as { presets: string[] }[]).flatMap((group) => group.presets);

const of = (rows: number[][], words: string[]): Result => new Result({
  ok: true, tensors: [{ ...output('weights', [rows.length, words.length], ['m', 'n']), offset: 0 }],
  labels: { m: words, n: words }, warnings: [], measures: {},
} as unknown as Directory, Float32Array.from(rows.flat()));
const words = ['she', 'saw', 'him'];
const result = of([[0.1, 0.2, 0.7], [0.4, 0.5, 0.1], [0.9, 0, 0.1]], words);

test('a note takes its numbers from the result', () => {
  expect(filled('she {weights 0 2}, saw {most weights 1 1}', result)).toBe('she .70, saw .50');
});

test('notes beside a map do not touch, and stay above its foot where there is room', () => {
  expect(spread([20, 60, 100], [30, 30, 30], 200), 'each at its rows').toEqual([20, 60, 100]);
  expect(spread([20, 60, 100], [50, 30, 60], 220), 'the next make room').toEqual([20, 78, 116]);
  expect(spread([20, 60, 100], [50, 40, 90], 220), 'and the ones before').toEqual([20, 78, 126]);
  expect(spread([60, 100, 140], [30, 40, 90], 220)).toEqual([44, 82, 130]);
  expect(spread([0], [30], 20), 'no higher than the top').toEqual([0]);
});

test('a note that is no longer true is not told', () => {
  expect(filled('she looks most at saw ({most weights 0 1})', result)).toBeUndefined();
  expect(filled('{weights 3 0}', result)).toBeUndefined();
  expect(filled('{weights 0}', result)).toBeUndefined();
  expect(filled('{scores 0 0}', result)).toBeUndefined();
});

test('the strongest of other words leaves itself and certainties out', () => {
  expect(strongest(result, {})).toEqual({ query: 'him', key: 'she', value: Math.fround(0.9) });
  expect(strongest(of([[1, 0, 0], [1, 0, 0], [0, 0.25, 0.75]], words), {}))
    .toEqual({ query: 'him', key: 'saw', value: 0.25 });
  expect(strongest(of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], words), {})).toBeUndefined();
});

test('of several modules the one on show is told of', () => {
  const entry = (name: string, offset: number) => ({ ...output(`${name}.weights`, [3, 3], ['m', 'n']), within: name,
    module: name, offset });
  const two = new Result({ ok: true, tensors: [entry('encoder', 0), entry('decoder.cross', 9)],
    labels: { m: words, n: words }, warnings: [], measures: {}, modules: ['encoder', 'decoder.cross'].map((name) =>
      ({ name, type: 'attention', parent: '', inputs: {} })),
  } as unknown as Directory, new Float32Array([0, 0.3, 0.7, 1, 0, 0, 0, 0, 1, 0, 0.8, 0.2, 1, 0, 0, 0, 0, 1]));
  const at = (module?: string) => strongest(two, {}, weightsOf(two, module));
  expect(at()).toMatchObject({ query: 'she', key: 'him' });
  expect(at('decoder.cross')).toMatchObject({ query: 'she', key: 'saw' });
  expect(at('decoder'), 'an attention inside it').toMatchObject({ query: 'she', key: 'saw' });
  expect(at('gone')).toMatchObject({ query: 'she', key: 'him' });
});

test('of several heads the one on show is told of, by its name', () => {
  const entry = { ...output('weights', [2, 3, 3], ['h', 'm', 'n']), offset: 0 };
  const two = new Result({ ok: true, tensors: [entry], labels: { m: words, n: words }, warnings: [], measures: {},
  } as unknown as Directory, new Float32Array([0, 0.3, 0.7, 0.4, 0.6, 0, 0.2, 0, 0.8, 0, 0.9, 0.1, 1, 0, 0, 0, 0, 1]));
  expect(strongest(two, { head: 0 })).toEqual({ query: 'she', key: 'him', value: Math.fround(0.7) });
  expect(strongest(two, { head: 1 })).toEqual({ query: 'she', key: 'saw', value: Math.fround(0.9) });
  expect(divided(two, { head: 1 })).toMatchObject([{ row: 0, keys: ['saw', 'him'] }]);
  expect([headOnShow(two, {}), headOnShow(two, { head: 1 }), headOnShow(result, {})])
    .toEqual(['head 1', 'head 2', undefined]);
});

test('numbers of the mechanism may change without changing what it is; words and choices may not', () => {
  const document = read('../../examples/words-that-keep-company.json') as Doc;
  const warmer = structuredClone(document);
  (warmer.mechanism['alignment'] as { temperature: number }).temperature = 0.25;
  expect(kin(document, warmer)).toBe(true);
  expect(kin(document, { ...document, mechanism: { ...document.mechanism, score: 'dot' } })).toBe(false);
  expect(kin(document, { ...document, inputs: {} })).toBe(false);
  const picture = (shape: number[], grey: number) => ({ ...document, inputs: { image: { shape, data: [0, grey] } } });
  expect(kin(picture([1, 2], 0), picture([1, 2], 1))).toBe(true);
  expect(kin(picture([1, 2], 0), picture([2, 1], 0))).toBe(false);
});

test('a note that depends on numbers of the mechanism holds of these numbers alone', () => {
  const titles = presets.map((file) => (read(`../../examples/${file}.json`) as { title: string }).title);
  expect([...WITH_NUMBERS].filter((title) => !titles.includes(title as string))).toEqual([]);
  const changed = (file: string, from: string, to: string): [Doc, Doc] => {
    const text = JSON.stringify(read(`../../examples/${file}.json`));
    expect(text).toContain(from);
    return [JSON.parse(text) as Doc, JSON.parse(text.replace(from, to)) as Doc];
  };
  expect(kin(...changed('chorowski-top-k', '"k":3', '"k":6')), 'the three best of eight').toBe(false);
  expect(kin(...changed('luong-monotonic', '"D":1', '"D":4')), 'one word on each side').toBe(false);
  expect(kin(...changed('entmax', '"alpha":1.5', '"alpha":1.7')), 'it says to move alpha').toBe(true);
  const [, many] = changed('chorowski-top-k', '"k":3', '"k":6');
  expect(isOtherPreset(many), 'in a link').toBe(true);
  const [three] = changed('chorowski-top-k', '"k":3', '"k":6');
  const titled = (base: Doc, document: Doc) => asTitled({ documents: { base, document },
    book: { catalogue: { mechanisms: [] } } } as unknown as Store);
  expect(titled(three, three)).toBe(three);
  expect([titled(three, many), titled(many, many)].map((one) => [one['title'], fileName(one, 'svg')]))
    .toEqual(Array(2).fill(['“Chorowski 2015, top-k”, changed', 'chorowski-2015-top-k-changed.svg']));
});

test('every preset says what it is and what to notice, in every language, with the same numbers', () => {
  for (const file of presets) {
    const { title } = read(`../../examples/${file}.json`) as { title: string };
    if (title === example.document.title) continue;
    const numbers = WHOLE.map((code) => {
      const note = noteOf(title, code);
      if (code !== 'en') expect(note, `${title}, ${code}`).not.toEqual(noteOf(title, 'en'));
      expect(note?.is.length, `${title}, ${code}`).toBeGreaterThan(20);
      return (note!.see.match(/\{[^}]*\}/g) ?? []).toSorted().join();
    });
    expect(new Set(numbers).size, title).toBe(1);
  }
});

test('of a map the rows are told whose look is spread most, with their second place', () => {
  const look = of([[0.9, 0.05, 0.05], [0.5, 0.4, 0.1], [0.3, 0.2, 0.5]], words);
  expect(divided(look, {})).toEqual([
    { row: 1, query: 'saw', keys: ['she', 'saw'], values: [0.5, Math.fround(0.4)] },
    { row: 2, query: 'him', keys: ['him', 'she'], values: [0.5, Math.fround(0.3)] },
  ]);
  expect(divided(of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], words), {})).toEqual([]);
});

test('the model of the first sight knows every word of the sentences that are offered', () => {
  const { model } = example.document as unknown as { model: { vocabulary?: string[] }[] };
  for (const word of SAMPLES.flatMap((one) => one.split(' '))) expect(model[0]!.vocabulary, word).toContain(word);
});

test('in a line from right to left a number stands behind its word: each keeps an order of its own', () => {
  for (const note of arabic.first.notes) {
    // An isolate with a word and a number runs from left to right as a whole: read from the right the number is first.
    const isolates = note.match(/[\u2066-\u2068][^\u2069]*\u2069/g) ?? [];
    expect(isolates.length).toBeGreaterThan(1);
    for (const one of isolates) expect(/^.[^{]*\p{L}[^{]*\{/u.test(one), one).toBe(false);
  }
});

test('a document that keeps the title of a preset and is another one is known as that', () => {
  const groups = read('../presets/gallery.json') as { presets: string[] }[];
  const presets = groups.flatMap(({ presets: files }) => files).map((file) =>
    read(`../../examples/${file}.json`) as Doc);
  expect(presets.length).toBeGreaterThan(20);
  for (const preset of presets) expect(isOtherPreset(preset), String(preset['title'])).toBe(false);
  const head = read('../../examples/see-that-girl-run.json') as Doc;
  const seeded = { ...structuredClone(head), seed: 99 } as Doc;
  const [words, parts] = [structuredClone(head), structuredClone(head)];
  Object.values(words.inputs)[0]!['tokens'] = ['k1', 'k2'];
  (parts.mechanism as Record<string, unknown>)['query'] = 'basic';
  expect([seeded, words, parts, { ...head, title: 'Mine' } as Doc].map(isOtherPreset))
    .toEqual([false, true, true, undefined]);
});

test('a seed is offered only where it changes a number', () => {
  const numbers = { x: { tokens: ['q1'], features: { type: 'matrix', matrix: [[1]] } } };
  const document = (inputs: object) =>
    ({ schema: 's', inputs, mechanism: { type: 'attention' } }) as unknown as Doc;
  const result = (parameters: number) => ({ all: () => Array(parameters).fill({}) }) as unknown as Result;
  expect(isSeeded(document(numbers), result(0))).toBe(false);
  expect(isSeeded(document(numbers), result(1))).toBe(true);
  expect(isSeeded(document({ x: { tokens: ['a'] } }), result(0))).toBe(true);
  expect(isSeeded(document({ x: { shape: [1, 1], data: [2] } }), result(0))).toBe(false);
});
