// SPDX-License-Identifier: Apache-2.0
// What a page says whose words in a language do not load.
import { afterEach, expect, it, vi } from 'vitest';
import { strings } from '../src/strings/en.ts';
import { engineWords, language, ready, speak } from '../src/strings/language.ts';
import { phrase } from '../src/strings/quote.ts';
import { about } from './whole.ts';

const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

afterEach(async () => {
  vi.restoreAllMocks();
  await speak('en');
});

it('keeps its language where no words of another one load, and asks again the next time', async () => {
  const load = vi.spyOn(about('ar'), 'load').mockImplementation(lost);
  const english = strings.language;
  await speak('ar');
  expect([language(), strings.language, await ready('ar')]).toEqual(['en', english, false]);
  load.mockRestore();
  await speak('ar');
  expect(language()).toBe('ar');
  expect(strings.language).not.toBe(english);
});

it('speaks another language, and the catalogue English, where its words do not load', async () => {
  const engine = vi.spyOn(about('de'), 'engine').mockImplementation(lost);
  const english = strings.language;
  await speak('de');
  expect([language(), strings.language === english, phrase('bw')]).toEqual(['de', false, 'bw']);
  // Words, though none: what stays English is marked as English.
  expect(engineWords()).toEqual({ mechanisms: {}, phrases: {} });
  engine.mockRestore();
  await speak('en');
  expect(engineWords()).toBeUndefined();
  await speak('de');
  expect(phrase('bw')).toBe('rückwärts');
});
