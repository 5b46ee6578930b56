// SPDX-License-Identifier: Apache-2.0
// Every sentence of every language can be read, uses what its English twin is given, and has all forms of its language.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import '../src/strings/en-flow.ts';
import '../src/strings/en-later.ts';
import { first, strings } from '../src/strings/en.ts';
import { languages, ready, speaking } from '../src/strings/language.ts';
import { localeOf, Message, patternOf, plural, tell } from '../src/strings/message.ts';
import { about, WHOLE } from './whole.ts';

const src = join(import.meta.dirname, '../src');
const codes = Object.keys(languages);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
/** The folders of words beside the parts of the page that say them. */
const parts = files.filter((file) => /^[^/]+\/(?:\w+-)?words\/en\.ts$/.test(file)).map((file) => file.slice(0, -6));

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The English sentences that another language has, with what it says instead, by their place. */
function pairs(english: Tree, said: Tree, at: string): [string, Message<readonly unknown[]>, unknown][] {
  return Object.entries(english).flatMap(([key, value]) => {
    if (value instanceof Message) return said[key] === undefined ? [] : [[`${at}.${key}`, value, said[key]]];
    return isTree(value) ? pairs(value, isTree(said[key]) ? said[key] : {}, `${at}.${key}`) : [];
  });
}

async function sentences(code: string): Promise<[string, Message<readonly unknown[]>, string][]> {
  const own = code === 'en' ? first : await about(code).load!();
  const found = pairs(first as unknown as Tree, own as unknown as Tree, 'strings');
  for (const part of parts) {
    if (!files.includes(`${part}/${code}.ts`)) continue;
    const [english, said] = await Promise.all(
      ['en', code].map(async (one) => (await import(join(src, part, `${one}.ts`))).words as Tree));
    found.push(...pairs(english!, said!, part));
  }
  return found.map(([at, message, text]) => [at, message, text instanceof Message ? text.text : String(text)]);
}

interface Read {
  names: Set<string>;
  /** The forms of each number that a text counts by. */
  counted: Map<string, Set<string>>;
}

const FORMS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

// What a pattern of Fluent holds, as its parser leaves it.
function read(pattern: unknown, into: Read): Read {
  for (const part of Array.isArray(pattern) ? pattern : [pattern]) {
    if (part?.type === 'var') into.names.add(part.name);
    if (part?.type !== 'select') continue;
    into.names.add(part.selector.name);
    const keys: string[] = part.variants.map(({ key }: { key: { value: unknown } }) => String(key.value));
    if (keys.every((key) => FORMS.has(key))) into.counted.set(part.selector.name, new Set(keys));
    for (const { value } of part.variants) read(value, into);
  }
  return into;
}
const readText = (text: string): Read => read(patternOf(text), { names: new Set(), counted: new Map() });

it('finds the sentences', async () => {
  expect(parts.length).toBeGreaterThan(20);
  expect((await sentences('en')).length).toBeGreaterThan(180);
});

describe.each(codes)('%s', (code) => {
  it('says every sentence with the names that English has', async () => {
    for (const [at, english, text] of await sentences(code)) {
      expect([...readText(text).names].sort(), `${at}: ${text}`).toEqual([...readText(english.text).names].sort());
    }
  });

  it('counts in all its forms wherever English counts', async () => {
    const forms = new Intl.PluralRules(localeOf(code)).resolvedOptions().pluralCategories.toSorted();
    for (const [at, english, text] of await sentences(code)) {
      const { counted } = readText(text);
      expect([...counted.keys()].sort(), `${at}: ${text}`).toEqual([...readText(english.text).counted.keys()].sort());
      for (const [name, found] of counted) expect([...found].sort(), `${at}, ${name}`).toEqual(forms);
    }
  });

  it('has no function written by hand', async () => {
    const own = ['strings', ...parts].map((folder) => join(src, folder, `${code}.ts`)).filter((file) =>
      existsSync(file));
    expect(own.length).toBeGreaterThan(0);
    for (const file of own) {
      // English takes what it is given by a function; what is said is a text there too.
      const source = readFileSync(file, 'utf8').replaceAll(/message\(\s*\([^)]*\) =>/g, '');
      expect(source.match(/\) =>/g), file).toBeNull();
    }
  });
});

it('six forms of Arabic', async () => {
  await ready('ar');
  const bare = (text: string) => text.replace(/[\u2068\u2069]/g, '');
  expect([0, 1, 2, 3, 11, 100].map((n) => bare(speaking('ar', () => strings.cells(n))))).toEqual(
    ['لا خلايا', 'خلية واحدة', 'خليتان', '3 خلايا', '11 خلية', '100 خلية']);
  expect([0, 1, 2, 3, 11, 100].map((n) => bare(speaking('ar', () => strings.keysOf(n))))).toEqual(
    ['لا مفاتيح', 'مفتاح واحد', 'مفتاحان', '3 مفاتيح', '11 مفتاحًا', '100 مفتاح']);
});

it('no isolate stands in another: its words would be left out in some fonts', async () => {
  for (const [at, { text: english }, text] of await sentences('ar')) {
    const given = Object.fromEntries([...readText(english).names].map((name) => [name, 11]));
    let depth = 0;
    for (const letter of tell('ar', text, given)) {
      if (/[\u2066-\u2068]/.test(letter)) expect(++depth, `${at}: ${text}`).toBe(1);
      if (letter === '\u2069') depth--;
    }
    expect(depth, at).toBe(0);
  }
  expect(tell('ar', '{ $n }', { n: 'من \u2066a\u2069 إلى \u2066b\u2069' }))
    .toBe('من \u2066a\u2069 إلى \u2066b\u2069');
});

it('numbers and lists are those of the language', () => {
  const text = '{ $n } in { $places }';
  const said = WHOLE.map((code) =>
    tell(code, text, { n: 12345.5, places: ['A', 'B', 'C'] }).replace(/[\u2068\u2069]/g, ''));
  expect(said).toEqual(['12,345.5 in A, B, and C', '12.345,5 in A, B und C', '12,345.5 in A وB وC']);
  expect([1, 2].map((n) => tell('de', plural('n', { one: 'ein Wort', other: '# Wörter' }), { n })))
    .toEqual(['ein Wort', '2 Wörter']);
});

it('what cannot be read is refused; what is not given shows as itself', () => {
  expect(() => patternOf('{ $n')).toThrow('not a message');
  expect(tell('en', 'a { $b }', {})).toBe('a {$b}');
});
