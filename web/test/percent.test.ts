// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { percents } from '../src/colour/numbers.ts';
import { languages, speak } from '../src/strings/language.ts';
import { percent } from '../src/strings/numerals.ts';

afterEach(() => speak('en'));

it('writes percentages in one way for each language', async () => {
  expect([percent('95'), percents(1, 1000)]).toEqual(['95%', '<1%']);
  await speak('de');
  expect([percent('95,5'), percents(1, 3)]).toEqual(['95,5\u00a0%', '33\u00a0%']);
  await speak('ar');
  expect(percent('95')).toBe('95٪');
});

// A number or a gap for one before a sign of per cent, and what is between them; "95-%-Intervall" is a word.
const WRITTEN = /[\d}]([\s\u00a0]|\\u00a0)?[%٪]/gu;
const root = join(import.meta.dirname, '../..');
const all = (folder: string): string[] => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .map((name) => `${folder}/${name}`);
const words = all('web/src').filter((path) => /\/(words|strings)\/[^/]+\.ts$/.test(path));

it.each(Object.keys(languages).map((code) => [code]))('has no other percentages among the words in %s', (code) => {
  const files = words.filter((path) => new RegExp(`/${code}(-\\w+)?\\.ts$`).test(path));
  const found = files.flatMap((path) => readFileSync(join(root, path), 'utf8').match(WRITTEN) ?? [])
    .map((one) => one.slice(1).replace(String.raw`\u00a0`, '\u00a0'));
  const right = { en: '%', de: '\u00a0%', ar: '٪' }[code];
  if (right !== undefined) expect([found.filter((one) => one !== right), found.length > 0]).toEqual([[], true]);
});

it('has none among lessons and systems either', () => {
  const files = [...all('web/src/lessons/data'), ...all('systems'), ...all('data/catalogue')]
    .filter((path) => path.endsWith('.json'));
  // A break of the line may be there.
  expect(files.filter((path) => /\d %/.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  // The English of a lesson has no space there at all.
  const english = files.filter((path) => path.includes('/lessons/')).map((path) =>
    [path, JSON.stringify(JSON.parse(readFileSync(join(root, path), 'utf8')).text.en)] as const);
  expect(english.some(([, text]) => /\d%/.test(text))).toBe(true);
  expect(english.filter(([, text]) => /\d\s%/.test(text)).map(([path]) => path)).toEqual([]);
});
