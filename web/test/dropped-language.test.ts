// SPDX-License-Identifier: Apache-2.0
// A language is one file of words: nothing lists it, and English takes the place of what it does not say.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import '../src/strings/en-later.ts';
import { strings } from '../src/strings/en.ts';
import { direction, directionOf, languages, type SomeStrings, speaking } from '../src/strings/language.ts';
import { learn, turnTo } from '../src/strings/live.ts';
import { isRightToLeft, plural, tell } from '../src/strings/message.ts';
import { whole } from '../src/strings/numerals.ts';

const src = join(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
const CODE = /^[a-z]{2,3}$/;

describe('the languages of the page', () => {
  it('are those that have a file of words', () => {
    const codes = readdirSync(join(src, 'strings')).map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => CODE.test(name));
    expect(Object.keys(languages).toSorted()).toEqual(codes.toSorted());
    expect(Object.keys(languages)[0]).toBe('en');
  });

  it('are named by no other file: their words are found by the names of their files', () => {
    const codes = Object.keys(languages).filter((code) => code !== 'en').join('|');
    const own = new RegExp(`(?:^|/)(?:${codes})(?:-\\w+)?\\.ts$`);
    const named = new RegExp(`['/](?:${codes})(?:\\.ts|\\.json)?'`);
    expect(files.filter((file) => own.test(file)).length).toBeGreaterThan(40);
    expect(files.filter((file) => file.endsWith('.ts') && !own.test(file)
      && named.test(readFileSync(join(src, file), 'utf8').replace(/\['de', 'lb'\]/, '')))).toEqual([]);
  });

  it('are written in the direction of their script', () => {
    expect(['en', 'de', 'fr', 'ru', 'zh', 'ar', 'fa', 'he', 'ur'].filter(isRightToLeft))
      .toEqual(['ar', 'fa', 'he', 'ur']);
    expect(directionOf('he')).toBe('rtl');
  });
});

// A language that nobody listed, with four words and one sentence.
const french: SomeStrings = { close: 'Fermer', take: { tabs: { picture: 'Image' } },
  pictures: { groups: `${plural('tokens', { one: '# mot', many: '# de mots', other: '# mots' })} en ${plural('groups',
    { one: '# groupe', many: '# de groupes', other: '# groupes' })}`, names: { matrix: 'Matrice' } } };
const inFrench = <T>(work: () => T): T => {
  learn('fr', french as Record<string, unknown>);
  return speaking('fr', work);
};

describe('a language with a few words', () => {
  afterEach(() => turnTo('en'));

  it('says these, and everything else in English', () => {
    inFrench(() => expect([strings.close, strings.take.tabs.picture, strings.undo, strings.take.tabs.code,
      strings.pictures.names['matrix'], strings.pictures.names['table'], direction()])
      .toEqual(['Fermer', 'Image', 'Undo', 'Formula and code', 'Matrice', 'Table', 'ltr']));
    const names = (of: object) => Object.keys(of).toSorted();
    expect(inFrench(() => [names(strings), names(strings.pictures.names)]))
      .toEqual([names(strings), names(strings.pictures.names)]);
    expect(inFrench(() => ({ ...strings.take.tabs }))).toEqual({ ...strings.take.tabs, picture: 'Image' });
  });

  it('counts and writes numbers as the language does, also in an English sentence', () => {
    // French has the form "one" for 0, which English does not.
    expect(inFrench(() => [strings.pictures.groups(0, 2), strings.pictures.groups(2, 1)]))
      .toEqual(['2 mots en 0 groupe', '1 mot en 2 groupes']);
    expect(inFrench(() => [whole(12345), tell('fr', '{ $n }', { n: 0.5 })])).toEqual(['12\u202f345', '0,5']);
    // What another test loaded may mark it as English.
    expect(inFrench(() => strings.pictures.matrix(12345, 2)).replace(/[\u2066\u2069]/g, ''))
      .toBe('12\u202f345 by 2 numbers');
  });

  it('leaves no word of any part of the page without a text', () => {
    const parts = import.meta.glob<Record<string, unknown>>(['../src/*/words.ts', '../src/*/*-words.ts',
      '../src/places/places.ts', '!../src/engine/**'], { eager: true });
    const said = (words: unknown): string[] => Object.entries(words as object).flatMap(([key, word]) =>
      (word === undefined ? [key] : typeof word === 'object' && !Array.isArray(word) ? said(word) : []));
    const asked = Object.entries(parts).flatMap(([file, { words, places }]) =>
      (typeof (words ?? places) === 'function' ? [[file, (words ?? places) as () => object] as const] : []));
    expect(asked.length).toBeGreaterThan(20);
    for (const [file, words] of asked) {
      expect(inFrench(() => said(words())), file).toEqual([]);
      expect(inFrench(() => Object.keys(words()).length), file).toBe(Object.keys(words()).length);
    }
  });
});
