// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, it } from 'vitest';
import '../src/strings/en-later.ts';
import { strings } from '../src/strings/en.ts';
import { direction, pageLanguage, ready, speak, speaking } from '../src/strings/language.ts';
import { turnTo } from '../src/strings/live.ts';

afterEach(() => turnTo('en'));

it('two elements on a page speak two languages, each while it is drawn', async () => {
  await ready('de');
  await ready('ar');
  const { take } = strings;
  const drawn = () => [strings.close, take.copy, take.tabs.picture, direction()];
  expect(speaking('de', drawn)).toEqual(['Schließen', 'Kopieren', 'Bild', 'ltr']);
  expect(speaking('ar', () => [...drawn(), speaking('de', () => strings.close), strings.close]))
    .toEqual(['إغلاق', 'نسخ', take.tabs && speaking('ar', () => take.tabs.picture), 'rtl', 'Schließen', 'إغلاق']);
  expect(drawn()).toEqual(['Close', 'Copy', 'Picture', 'ltr']);
  expect(pageLanguage()).toBe('en');
});

it('what fails while it is drawn leaves the language as it was; one that is not here changes nothing', () => {
  expect(() => speaking('de', () => { throw new Error('x'); })).toThrow('x');
  expect(strings.close).toBe('Close');
  expect(speaking('xx', () => strings.close)).toBe('Close');
});

it('lists and keys of words are those of the language', async () => {
  await speak('de');
  expect(Object.keys(strings.views)).toEqual(['matrix', 'lines', 'text', 'table']);
  expect(strings.sampleTokens.length).toBe(3);
  expect({ ...strings.views }.lines).toBe('Linien');
  await speak('en');
});
