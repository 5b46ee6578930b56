// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ticks } from '../src/elements/scale.ts';
import { lessons } from '../src/lessons/course.ts';
import '../src/strings/en-flow.ts';
import '../src/strings/en-later.ts';
import { first, strings } from '../src/strings/en.ts';
import { tell } from '../src/strings/message.ts';
import { quote } from '../src/strings/quote.ts';
import { arrow, direction, isolated, known, language, languages, mixed, speak } from '../src/strings/language.ts';
import { Message } from '../src/strings/message.ts';
import { about, WHOLE } from './whole.ts';

// Every path of a catalogue of words, with what stands there.
function paths(words: object, at = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(words)) {
    if (value && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Message))
      for (const [k, v] of paths(value, `${at}${key}.`)) found.set(k, v);
    else found.set(at + key, value);
  }
  return found;
}

const load = async (code: string): Promise<object> => (await about(code).load?.()) ?? first;
const english = paths(first);
const textOf = (value: unknown): string => (value instanceof Message ? value.text : JSON.stringify(value));

it.each(WHOLE)('%s has every string that English has, none empty, none forgotten', async (code) => {
  const words = paths(await load(code));
  // The names of groups come in English from the engine, those of modules from the document.
  const keys = (map: Map<string, unknown>) =>
    [...map.keys()].filter((key) => !/^(group|module)Names\./.test(key)).sort();
  expect(keys(words)).toEqual(keys(english));
  let same = 0;
  for (const [key, value] of words) {
    expect(value, key).not.toBe('');
    if (textOf(value) === textOf(english.get(key))) same++;
  }
  // Names such as PNG and NumPy are the same everywhere; sentences are not.
  if (code !== 'en') expect(same).toBeLessThan(english.size / 8);
});

it.each(Object.keys(languages))('%s has no word that English does not have, and none that is empty', async (code) => {
  const words = paths(await load(code));
  expect([...words.keys()].filter((key) => !english.has(key) && !/^(group|module)Names\./.test(key))).toEqual([]);
  expect([...words].filter(([, value]) => value === '')).toEqual([]);
});

it('words of a document keep their own order where the line runs the other way, and so does its arrow', async () => {
  const sentence = 't\' (.37), <end>';
  expect([mixed(sentence), arrow()]).toEqual([sentence, '→']);
  await speak('ar');
  expect(mixed(sentence).split(/[\u2066\u2069]/)).toEqual(['', 't\'', ' (', '.37', '), ', '<end>', '']);
  expect([mixed('نظرة'), arrow()]).toEqual(['نظرة', '←']);
  // An isolate in an isolate is not drawn by every font.
  expect(mixed('إلى \u2068car (.28)\u2069 و le')).toBe('إلى \u2068car (.28)\u2069 و \u2066le\u2069');
  expect(tell('ar', 'أكبر { $n } و { $w }', { n: isolated('−.37'), w: quote('no') }))
    .toBe('أكبر \u2068−.37\u2069 و \u2066no\u2069');
  await speak('en');
});

it('the ends of a scale are written as the language writes numbers', async () => {
  await speak('de');
  expect(ticks([0, 1]).map(({ text }) => text)).toEqual(['0', '1,00']);
  await speak('en');
  expect(ticks([0, 1]).map(({ text }) => text)).toEqual(['0', '1.00']);
});

it('the page speaks the first language it is asked for and knows', async () => {
  expect(known('qaa-CA', 'de-AT', 'en')).toBe('de');
  expect(known('constructor', undefined, '')).toBeUndefined();
  await speak('ar');
  expect([language(), direction(), strings.close]).toEqual(['ar', 'rtl', 'إغلاق']);
  await speak('en');
  expect([language(), direction(), strings.close]).toEqual(['en', 'ltr', 'Close']);
});

it('the words that a part of the page holds on to change with the language', async () => {
  const { take, groupNames } = strings;
  await speak('de');
  expect([take.copy, take.tabs.picture, groupNames['Features']]).toEqual(['Kopieren', 'Bild', 'Merkmale']);
  await speak('ar');
  expect(take.copy).toBe('نسخ');
  await speak('en');
  expect([take.copy, take.tabs.picture, groupNames]).toEqual(['Copy', 'Picture', {}]);
});

it('lessons are numbered, and say everything in every language', () => {
  expect(lessons.length).toBeGreaterThan(20);
  expect(new Set(lessons.map(({ id }) => id)).size).toBe(lessons.length);
  for (const { id, steps, show, text, chapter } of lessons) {
    expect(Object.keys(strings.learn.chapters), id).toContain(chapter);
    for (const code of WHOLE) {
      expect(text[code]?.steps.length, `${id} ${code}`).toBe(steps.length);
      expect(text[code]?.show?.length ?? 0, `${id} ${code}`).toBe(show?.length ?? 0);
      for (const step of text[code]!.steps)
        for (const word of [step.say, step.do, step.done]) expect(word.length, `${id} ${code}`).toBeGreaterThan(3);
    }
  }
});
