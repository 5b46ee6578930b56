// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Lessons of an author's own: read with errors that say where, what was expected and what was found; written into a
// link and back; and checked by the page.
import './no-window.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../src/strings/en-later.ts';
import { describe, expect, it } from 'vitest';
import { readJson } from '../src/bring/json.ts';
import type { Doc, Json, JsonObject } from '../src/engine/types.ts';
import { isNumber, readings } from '../src/lessons/answer.ts';
import { bring, broughtTo, linkTo, packed, unpacked } from '../src/lessons/brought.ts';
import { addressOf, Course, lessonOf, nextOf, wordsOf } from '../src/lessons/course.ts';
import { lackOf } from '../src/lessons/measure.ts';
import { readLesson, SCHEMA, WrongLesson } from '../src/lessons/read.ts';
import type { Measure } from '../src/lessons/types.ts';
import { received } from '../src/page/incoming-link.ts';
import { Store } from '../src/state/store.ts';
import { book, client } from './choosing.ts';

const words = ['the', 'cat', 'slept', 'because', 'they', 'fed', 'it'];
const document: JsonObject = { schema: 'attention-playground/1', seed: 7,
  inputs: { x: { tokens: words, features: { type: 'words', dim: 24 } } },
  mechanism: { type: 'attention', query: 'self-attention', mask: ['mask-causal'] } };
const weight: JsonObject = { of: 'weights', what: 'max', row: 'cat', col: 'fed' };
const lesson: JsonObject = { schema: SCHEMA, document, show: [weight],
  steps: [{ until: { measure: weight, is: '>', than: 0.01 } }],
  text: { title: 'What does a mask hide?', show: ['weight of cat on fed'],
    steps: [{ do: 'Make “cat” attend to “fed”.', done: 'Without the mask, later words count.' }] } };
const wrong = (change: (draft: JsonObject) => void): string => {
  const draft = structuredClone(lesson);
  change(draft);
  try {
    readLesson(draft, 'x');
    return 'nothing is wrong';
  } catch (problem) {
    expect(problem).toBeInstanceOf(WrongLesson);
    return (problem as Error).message;
  }
};
const step = (draft: JsonObject): JsonObject => (draft['steps'] as JsonObject[])[0]!;

describe('a lesson that an author wrote', () => {
  it('is read', () => {
    const read = readLesson(lesson, 'own-1');
    expect(read).toMatchObject({ id: 'own-1', show: [weight] });
    expect(wordsOf(read, 'de').steps).toEqual([{ say: '', ...(lesson['text'] as { steps: object[] }).steps[0] }]);
  });

  it('is the example of the documentation', () => {
    const [, example = ''] = /### Your own questions[^]*?```json\n([^]*?)```/
      .exec(readFileSync(join(import.meta.dirname, '../../docs/page.md'), 'utf8')) ?? [];
    expect(readJson(example)).toMatchObject({ kind: 'lesson', title: 'What does a mask hide?' });
  });

  it('may have every condition of the lessons of the page', () => {
    const folder = join(import.meta.dirname, '../src/lessons/data');
    for (const file of readdirSync(folder)) {
      const { steps, show, text, document: own, lock, place } =
        JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Json>;
      const copy = { schema: SCHEMA, steps: steps!, text: text!, ...(show ? { show } : {}), ...(own ? { document: own }
        : {}), ...(lock ? { lock } : {}), ...(place ? { place } : {}) };
      expect(() => readLesson(copy, 'x'), file).not.toThrow();
    }
  });

  it('is refused with the place, what was expected and what was found', () => {
    expect(wrong((draft) => { (step(draft)['until'] as JsonObject)['is'] = '=>'; }))
      .toBe('At /steps/0/until/is: expected one of <, <=, >, >=, =, !=, found "=>".');
    expect(wrong((draft) => { delete (step(draft)['until'] as JsonObject)['than']; }))
      .toBe('At /steps/0/until/than: expected a number, found nothing.');
    expect(wrong((draft) => { step(draft)['until'] = { weight: 0.5 }; }))
      .toMatch(/^At \/steps\/0\/until: expected a condition with one of all, any, not, .+, found \{"weight":0/);
    expect(wrong((draft) => { (draft['show'] as JsonObject[])[0]!['what'] = 'largest'; }))
      .toMatch(/^At \/show\/0\/what: expected one of max, .+, found "largest"\.$/);
    expect(wrong((draft) => { draft['documnet'] = {}; }))
      .toMatch(/^At \/documnet: expected one of .*document.*"documnet"/);
    expect(wrong((draft) => { draft['document'] = { inputs: {} }; }))
      .toBe('At /document: expected a document of this page, found {"inputs":{}}.');
    expect(wrong((draft) => { (draft['document'] as JsonObject)['parameters'] = { from: 'own-1.safetensors' }; }))
      .toMatch(/^At \/document\/parameters\/from: expected weights that come with the page/);
    expect(wrong((draft) => { draft['steps'] = []; })).toMatch(/expected a list of 1 to \d+ steps, found \[\]/);
    expect(wrong((draft) => { (draft['text'] as JsonObject)['steps'] = []; }))
      .toBe('At /text/steps: expected a list of 1 item, found [].');
    expect(wrong((draft) => { draft['text'] = { en: { title: 'x' } }; }))
      .toBe('At /text/en/steps: expected a list of 1 item, found nothing.');
    expect(wrong((draft) => { draft['schema'] = 'attention-playground-lesson/2'; })).toMatch(/^At \/schema: expected /);
    let deep: Json = { undone: true };
    for (let k = 0; k < 40; k++) deep = { not: deep };
    expect(wrong((draft) => { step(draft)['until'] = deep; })).toMatch(/not\/not: expected a condition/);
  });

  it('comes by a file, and by a link that an address can hold', async () => {
    expect(readJson(JSON.stringify(lesson))).toMatchObject({ kind: 'lesson', title: 'What does a mask hide?' });
    expect(readJson(JSON.stringify({ ...lesson, steps: 1 }))).toMatchObject({ kind: 'wrong' });
    const link = packed(lesson);
    expect(unpacked(link)).toEqual(lesson);
    expect(await received(`#lesson=${link}&step=2`, false)).toEqual({ lesson: '', step: 2, packed: link });
    expect(await received('#lesson=masks&step=2', false)).toEqual({ lesson: 'masks', step: 2 });
    expect(() => unpacked(link.slice(0, -3))).toThrow('The link is damaged');
    expect(() => unpacked(packed(['\ud800']))).toThrow('The link is damaged');
  });
});

it('the page checks the condition, and says what it speaks of in vain', async () => {
  const start = document as unknown as Doc;
  const store = new Store(start, start, book, client);
  const { id } = bring(store, lesson);
  expect([bring(store, lesson).id, broughtTo(store).length]).toEqual([id, 1]);
  expect(addressOf(store, id, 0)).toBe(`lesson=${linkTo(store, id)}`);
  expect(nextOf(store, id)).toBeUndefined();
  const course = Course.at(store, lessonOf(store, id)!);
  await store.sessions.compute();
  course.look();
  expect([course.look(), course.done, course.readings()]).toEqual([false, false, [0]]);
  expect(course.lacks()).toEqual([]);
  store.documents.change((draft) => delete (draft.mechanism as JsonObject)['mask']);
  await store.sessions.compute();
  expect([course.look(), course.finished]).toEqual([true, true]);
  expect(course.readings()[0]).toBeGreaterThan(0.01);
  const lacks = (measure: JsonObject) => lackOf(measure as unknown as Measure, store.sessions.result!);
  expect([lacks(weight), lacks({ ...weight, of: 'weihgts' }), lacks({ ...weight, col: 'dog' }),
    lacks({ ...weight, row: 'dog' })]).toEqual([undefined, 'weihgts', 'dog', 'dog']);
});

describe('a step that the reader answers', () => {
  const asking = (until: JsonObject, texts: JsonObject = {}): JsonObject => ({ schema: SCHEMA, document,
    steps: [{ until }], text: { title: 'By hand', steps: [{ do: 'Answer.', ...texts }] } });
  const course = async (until: JsonObject, texts?: JsonObject): Promise<Course> => {
    const start = document as unknown as Doc;
    const store = new Store(start, start, book, client);
    const made = Course.at(store, lessonOf(store, bring(store, asking(until, texts)).id)!);
    await store.sessions.compute();
    made.look();
    return made;
  };
  const after = (made: Course, given: string | number): [boolean, boolean] => {
    made.answer(given);
    return [made.done, made.verdict === 'wrong'];
  };

  it('may be chosen from a list', async () => {
    const made = await course({ chosen: 1 }, { choices: ['the', 'cat'], hint: 'Read the row.' });
    expect([made.asks, made.verdict]).toEqual([{ chosen: 1 }, undefined]);
    expect([after(made, 0), after(made, 1)]).toEqual([[false, true], [true, false]]);
    // What is right stays, and a later answer changes nothing.
    expect([after(made, 0), made.holds]).toEqual([[true, false], true]);
    made.afresh();
    expect([made.given, made.done]).toEqual([undefined, false]);
  });

  it('may be a number with a tolerance, written with a point or a comma', async () => {
    const until = { typed: 0.31, within: 0.01 };
    for (const text of ['0.32', '0,3', '.31', '0.310'])
      expect(after(await course(until), text), text).toEqual([true, false]);
    for (const text of ['0.3201', '31', '', 'x']) expect(after(await course(until), text)[0], text).toBe(false);
    const negative = { typed: -1.5, within: 0 };
    expect([after(await course(negative), '−1.5'), after(await course(negative), '1.5')])
      .toEqual([[true, false], [false, true]]);
  });

  it('may be a number with thousands apart, or in Arabic digits', async () => {
    const many = { typed: 38400, within: 0 };
    for (const text of ['38400', '38,400', '38.400', '38 400', '38’400', '38.400,0', '٣٨٤٠٠', '٣٨٬٤٠٠'])
      expect(after(await course(many), text), text).toEqual([true, false]);
    for (const text of ['38,40', '3,8400', '38,4000']) expect(after(await course(many), text)[0], text).toBe(false);
    for (const text of ['٠٫٥', '۰٫۵', '0.500'])
      expect(after(await course({ typed: 0.5, within: 0 }), text), text).toEqual([true, false]);
    // A zero begins no thousands.
    expect(after(await course({ typed: 400, within: 0 }), '0,400')[0]).toBe(false);
    expect([readings('38,400'), readings('1,234,567'), readings('1,2,3'), isNumber('x')])
      .toEqual([[38.4, 38400], [1234567], [], false]);
  });

  it('may be right while the rest of the step is still to do', async () => {
    const made = await course({ all: [{ chosen: 0 }, { held: 'weights' }] }, { choices: ['the', 'cat'] });
    made.answer(0);
    expect([made.done, made.verdict]).toEqual([false, 'more']);
    made.answer(1);
    expect([made.done, made.verdict]).toEqual([false, 'wrong']);
  });

  it('may be a number that the page computes', async () => {
    const own = { of: 'weights', what: 'max', row: 'the', col: 'the' };
    const made = await course({ typed: own, within: 0.001 });
    expect([after(made, '0.9'), after(made, '1')]).toEqual([[false, true], [true, false]]);
    // The number is another one once the mask is gone, so what was answered holds no more.
    made.store.documents.change((draft) => delete (draft.mechanism as JsonObject)['mask']);
    await made.store.sessions.compute();
    made.look();
    expect(made.holds).toBe(false);
  });

  it('may be a word, however it is written', async () => {
    const until = { word: ['they', 'Die Straße'] };
    for (const text of ['They', ' “they”. ', 'die  straße'])
      expect(after(await course(until), text)[0], text).toBe(true);
    expect(after(await course(until), 'the')).toEqual([false, true]);
    expect(after(await course({ word: ['don’t'] }), "Don't")).toEqual([true, false]);
    expect([after(await course({ word: ['.'] }), ' '), after(await course({ word: ['.'] }), '.')])
      .toEqual([[false, true], [true, false]]);
  });

  it('is refused where its answers lack the right one, or its tolerance is negative', () => {
    const refused = (until: JsonObject, texts?: JsonObject): string => {
      try {
        readLesson(asking(until, texts), 'x');
      } catch (problem) {
        return (problem as Error).message;
      }
      return '';
    };
    expect(refused({ chosen: 2 }, { choices: ['a', 'b'] }))
      .toBe('At /text/steps/0/choices: expected a list of at least 3 items, found ["a","b"].');
    expect(refused({ chosen: 0 })).toBe('At /text/steps/0/choices: expected a list of at least 1 item, found nothing.');
    expect(refused({ typed: 1, within: -1 }))
      .toBe('At /steps/0/until/within: expected a number of at least 0, found -1.');
    expect(refused({ word: 'they' })).toBe('At /steps/0/until/word: expected a list, found "they".');
    expect(refused({ chosen: 1 }, { choices: ['a', 'b'] })).toBe('');
  });
});
