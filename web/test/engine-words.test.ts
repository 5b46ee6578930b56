// SPDX-License-Identifier: Apache-2.0
import example from '../src/state/example.json';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'lit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Catalogue, Doc, Mechanism } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { missing } from '../src/strings/engine.ts';
import { languages, speak } from '../src/strings/language.ts';
import { cited, objection, phrase, quote, said as saying, withQuotes } from '../src/strings/quote.ts';
import { records, recordWords } from '../src/strings/records.ts';
import { documents } from '../src/train/documents.ts';
import { about, WHOLE } from './whole.ts';

const one = (id: string): Mechanism => ({
  id, kind: 'score', title: `Title ${id}`, sentence: `Sentence ${id}.`, note: null, learns: `Learns ${id}.`,
  aliases: [], formula: '', parameters: [], roles: [], differentiable: true,
  knobs: [{ name: 'k', title: 'Scale', type: 'number' }],
  slots: [{ name: 's', title: 'Base', group: 'g', kind: 'score', default: null, list: false, optional: true }],
});
const catalogue = (): Catalogue => ({ schema: 's', mechanisms: [one('a'), one('b')] });
const words = { mechanisms: { a: { title: 'Titel', sentence: 'Satz.', learns: 'Lernt so.', knobs: { k: 'Skala' } } },
  phrases: {} };
const said = ({ mechanisms: [a, b] }: Catalogue) =>
  [a!.title, a!.sentence, a!.lang, a!.note, a!.noteLang, a!.learns, a!.learnsLang, b!.learns, b!.learnsLang, b!.title,
  b!.lang, a!.knobs[0]!.title, a!.knobs[0]!.lang, a!.slots[0]!.title, a!.slots[0]!.lang];

const lessons = join(import.meta.dirname, '../src/lessons/data');
const titlesIn = (value: unknown): string[] => (typeof value !== 'object' || value === null ? []
  : [...('schema' in value && 'title' in value ? [String(value.title)] : []),
    ...Object.values(value).flatMap(titlesIn)]);
const ofLessons = readdirSync(lessons)
  .flatMap((file) => titlesIn(JSON.parse(readFileSync(join(lessons, file), 'utf8'))));

it.each(['de', 'ar'] as const)('has a title in %s for each document of the menu of tasks and of a lesson',
  async (language) => {
  const titles = [...[...documents.values()].map(({ title }) => String(title)), ...ofLessons];
  await speak(language);
  const lacking = titles.filter((title) => phrase(title) === title);
  await speak('en');
  expect([lacking, documents.size > 4, ofLessons.length > 9]).toEqual([[], true, true]);
});

describe('what the engine says', () => {
  it('is said in another language, falls back to English that is marked, and comes back', async () => {
    const book = new Book(catalogue(), async () => catalogue());
    const before = said(book.catalogue);
    book.speak(words);
    expect(said(book.catalogue)).toEqual(
      ['Titel', 'Satz.', undefined, null, undefined, 'Lernt so.', undefined, 'Learns b.', 'en', 'Title b', 'en',
      'Skala', undefined, 'Base', 'en']);
    await book.learn();
    expect(said(book.catalogue)[0]).toBe('Titel');
    book.speak(undefined);
    expect(said(book.catalogue)).toEqual(before);
  });

  it('can be listed where words are missing, whatever is spoken', () => {
    const book = new Book(catalogue());
    book.speak(words);
    expect(missing(book.catalogue, words)).toEqual(
      { titles: ['a: s', 'b: k', 'b: s'], mechanisms: ['b'], phrases: [] });
    const some = { ...words, mechanisms: { ...words.mechanisms, b: { title: 'Titel', sentence: 'Satz.' } } };
    expect(missing(book.catalogue, some).mechanisms).toEqual(['b: learns']);
  });
});

// What is missing is told by tools/words.mjs and is no fault: a new mechanism is one file. What is there has to be
// right.
const root = join(import.meta.dirname, '../..');
// In a process of its own: a page's environment imports no module of Node's.
const tasksOf = `const { default: create } = await import(process.argv[1]); console.log((await create()).tasks())`;
const learned = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', tasksOf,
  join(root, 'build/wasm/bin/training.mjs')], { encoding: 'utf8' })) as { id: string; knobs: { title?: string }[];
  forms?: { like: string }[] }[];
// What the sliders of tasks are called.
const sliders = learned.flatMap(({ knobs }) => knobs).flatMap(({ title }) => title ?? []);
const source = (path: string) => readFileSync(join(root, path), 'utf8');
const written = () => readdirSync(join(root, 'src/catalogue'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.cpp')).map((path) => source(`src/catalogue/${path}`));
const presets = () => ['', 'models/', 'trained/'].flatMap((folder) =>
  readdirSync(join(root, 'examples', folder)).map((file) => folder + file)).filter((path) => path.endsWith('.json'))
  .map((path) => (JSON.parse(source(`examples/${path}`)) as Doc)['title']);
describe.each(Object.keys(languages).filter((code) => about(code).engine))('the words for the engine in %s',
  (code) => {
  const { mechanisms } = JSON.parse(source('build/wasm/bin/catalogue.json')) as {
    mechanisms: (Mechanism & { coordinate: string | null })[] };
  const load = about(code).engine!;
  const isWhole = WHOLE.some((one) => one === code);
  // Letters of formulas, names and signs are the same everywhere; a sentence has words of its own.
  const foreign = code === 'ar' ? /[\u0600-\u06ff]/ : /\p{L}/u;

  it('stand for mechanisms that there are, with a title and a sentence', async () => {
    const known = new Map(mechanisms.map((m) => [m.id, m]));
    for (const [id, found] of Object.entries((await load()).mechanisms)) {
      const mechanism = known.get(id);
      expect(mechanism, id).toBeDefined();
      const { title, sentence, note = '', learns = '' } = found;
      expect(title?.trim(), id).toBeTruthy();
      for (const [text, english] of [[sentence, mechanism!.sentence], [note, mechanism!.note],
        [learns, mechanism!.learns]] as const) {
        expect(!!text && !english, `${id} says more than the engine: ${text}`).toBe(false);
        if (!text) continue;
        expect(text, id).toMatch(foreign);
        expect(text, id).toMatch(/[.…]$/);
        expect(text, id).not.toBe(english);
      }
      expect(sentence, id).not.toBe('');
    }
  });

  // A caveat that was added in English later stands in no translation that was written before.
  it('say as many sentences as the engine does', async () => {
    const known = new Map(mechanisms.map((m) => [m.id, m]));
    const ends = (text: string): number =>
      text.replace(/\bet al\.(?!$)|\.\.+(?=,? )/gu, '').match(/[.…]+(?=\s|$)/gu)?.length ?? 0;
    for (const [id, { sentence, note = '', learns = '' }] of Object.entries((await load()).mechanisms)) {
      const mechanism = known.get(id)!;
      for (const [text, english] of [[sentence!, mechanism.sentence], [note, mechanism.note ?? ''],
        [learns, mechanism.learns ?? '']] as const)
        if (text) expect(ends(text), `${id}: ${english} / ${text}`).toBe(ends(english));
    }
  });

  it('are counted where they are missing, which is no fault', async () => {
    const words = await load();
    const lacking = missing({ schema: '', mechanisms }, words);
    const without = mechanisms.filter(({ id }) => words.mechanisms[id] === undefined);
    console.info(`${code}: ${mechanisms.length
      - without.length} of ${mechanisms.length} mechanisms; missing ${lacking.titles.length} titles, ${
      lacking.phrases.length} reasons; ${lacking.mechanisms.join(', ')}`);
    expect(lacking.mechanisms).toEqual(expect.arrayContaining(without.map(({ id }) => id)));
  });

  it('say refusals that the engine has, with all that these name', async () => {
    // As they stand in the code: pieces in quotes, over several lines.
    const said = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(cpp|h)$/.test(path)).map((path) => source(`src/${path}`)).join('\n')
      .replace(/"\s*\n\s*"/g, '').replaceAll('\\"', '"');
    const { refusals = {} } = await load();
    if (isWhole) expect(Object.keys(refusals).length).toBeGreaterThan(10);
    for (const [english, own] of Object.entries(refusals)) {
      for (const piece of english.split(/\{\d\}/).filter((one) => one.trim().length > 3))
        expect(said.includes(piece), `${english}: ${piece}`).toBe(true);
      const names = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([name]) => name).toSorted();
      expect(names(own), english).toEqual(names(english));
      expect(own, english).toMatch(foreign);
    }
  });

  it('say every reason why words cannot be written one by one', async () => {
    const { refusals = {} } = await load();
    const reasons = [...source('src/ops/step_refusal.cpp').matchAll(/Words\{\w+, "(.+)"\}/g)].map(([, text]) => {
      let names = 0;
      return text!.replaceAll('\\"', '"').replace(/[%&]/g, () => `{${++names}}`);
    });
    expect(reasons.length).toBeGreaterThan(30);
    if (isWhole) expect(reasons.filter((reason) => refusals[reason] === undefined)).toEqual([]);
  });

  it('name knobs, slots and phrases that there are', async () => {
    const reasons = Object.values(JSON.parse(source('data/catalogue/en/reasons.json')) as
      Record<string, { sentence: string }>).map(({ sentence }) => sentence);
    const beyond = Object.values(JSON.parse(source('data/learned.json')) as Record<string,
      { longer?: { title?: string } }>).flatMap(({ longer }) => longer?.title ?? []);
    // The document of the language model is made by a tool.
    const language = /TITLE = '([^']*)'/.exec(source('tools/language/documents.mjs'))![1];
    const phrases = new Set([...reasons, ...presets(), ...beyond, ...sliders, ...ofLessons, example.document.title,
      language,
      ...mechanisms.flatMap((m) => [m.coordinate,
      ...m.knobs.flatMap(({ choices }) => (choices ?? []).flatMap((one) => [one, `${m.id} ${one}`])),
      ...(m.source ? [m.source.where, ...m.source.where.split(/[^A-Za-z]+/)] : []),
    ])]);
    // What a structure says of its own place, and the survey's plain case, is in no catalogue.
    const coordinates = [source('src/experiment/describing/coordinates.cpp'), ...written()].join('\n');
    const words = await load();
    const known = new Map(mechanisms.map((m) => [m.id, m]));
    const titles = Object.entries(words.mechanisms).flatMap(([id, { knobs = {}, slots = {} }]) => [
      ...Object.entries(knobs).map(([name, title]) =>
        ({ title, is: known.get(id)?.knobs.some((one) => one.name === name) })),
      ...Object.entries(slots).map(([name, title]) =>
        ({ title, is: known.get(id)?.slots.some((one) => one.name === name) })),
    ]);
    expect(titles.filter(({ is }) => !is)).toEqual([]);
    expect(Object.keys(words.phrases).filter((text) => !phrases.has(text) && !coordinates.includes(`"${text}"`)))
      .toEqual([]);
    if (isWhole) expect(sliders.filter((title) => words.phrases[title] === undefined)).toEqual([]);
    expect([...titles.map(({ title }) => title), ...Object.values(words.phrases)].filter((text) => text.trim() === ''))
      .toEqual([]);
  });
});

describe('what the engine says in English on a page in another language', () => {
  afterEach(() => speak('en'));
  const drawn = (what: unknown) => {
    const box = document.createElement('p');
    render(what, box);
    return [box.textContent, [...box.querySelectorAll('[lang="en"][dir="ltr"]')].map((e) => e.textContent)];
  };

  it('stands in a sentence of the page and is marked', async () => {
    expect(drawn(objection('Heads', 'is -3, but must be at least 1')))
      .toEqual(['Heads: is -3, but must be at least 1.', []]);
    await speak('de');
    expect(drawn(objection('Köpfe', 'is -3, but must be at least 1.')))
      .toEqual(['Zu „Köpfe“ meldet die Engine: is -3, but must be at least 1.', ['is -3, but must be at least 1']]);
    expect(drawn(objection('', 'no'))).toEqual(['Die Engine meldet: no.', ['no']]);
    const refused = quote('"gaussian" reads an input "extra", which is missing; add it, or name another input in /a');
    expect(drawn(withQuotes(refused))).toEqual(['„gaussian“ liest die Eingabe „extra“, die fehlt; füge sie hinzu, oder '
      + 'nenne in /a eine andere', []]);
    expect(quote('"location-based": there are 8 keys, but W has scores for 4 positions; raise N'), 'behind a name')
      .toBe('location-based: es gibt 8 Keys, aber W hat Scores für 4 Positionen; erhöhe N');
    await speak('ar');
    // What is filled into an Arabic sentence is isolated, besides.
    const [text, marked] = drawn(objection(quote('/a/b'), 'no')) as [string, string[]];
    expect([text.replace(/[\u2068\u2069]/g, ''), marked]).toEqual(['عن «/a/b» يقول المحرّك: no.', ['/a/b', 'no']]);
    expect(drawn(withQuotes('نص'))).toEqual(['نص', []]);
  });

  it('gives way to words where there are any', async () => {
    expect([phrase('bw'), cited('section 3, equations 1 to 4')]).toEqual(['bw', 'section 3, equations 1 to 4']);
    await speak('de');
    expect([phrase('bw'), phrase('relu'), cited('section IV-C, equations 1 to 4')])
      .toEqual(['rückwärts', 'relu', 'Abschnitt IV-C, Gleichungen 1 bis 4']);
    expect(drawn(saying('global'))).toEqual(['global', []]);
    expect(drawn(saying('Something new.'))).toEqual(['Something new.', ['Something new.']]);
    // Of several parts each is in the reader's words that can be.
    expect(drawn(cited('section 3.2; yarn: Peng et al., arXiv:2309.00071'))[0]).toMatch(/^Abschnitt 3\.2; yarn/);
    expect(drawn(cited('the kernel of SOFT'))).toEqual(['the kernel of SOFT', ['the kernel of SOFT']]);
    await speak('ar');
    expect([cited('section 3, equations 1 to 4'), cited('position-wise feed-forward networks')])
      .toEqual(['القسم 3، المعادلات 1 إلى 4', 'شبكات تغذية أمامية لكل موضع']);
  });
});

// Of both documents of a system, of the untrained one, of the trained one.
const CAVEATS = ['simplified', 'untrained', 'trained'] as const;
type Caveats = (typeof CAVEATS)[number];

// What is missing is told by tools/words.mjs here, too.
describe.each(Object.entries(records))('the words for records beside the mechanisms in %s', (code, load) => {
  const { measures, systems } = JSON.parse(source('build/wasm/bin/catalogue.json')) as { measures: { id: string }[];
    systems: ({ id: string; differs?: Record<string, string> } & Partial<Record<Caveats, string[]>>)[] };
  const tasks = learned.map(({ id }) => id);
  const taskForms = new Map(learned.map(({ id, forms = [] }) => [id, forms.map(({ like }) => like)]));
  const foreign = code === 'ar' ? /[\u0600-\u06ff]/ : /\p{L}/u;

  it('stand for records that there are, each with its title and sentences', async () => {
    const words = await load();
    const there = { measures: measures.map(({ id }) => id), systems: systems.map(({ id }) => id), tasks };
    const parts = { measures: ['sentence', 'tells'], systems: ['says'], tasks: ['sentence', 'shows'] };
    for (const kind of ['measures', 'systems', 'tasks'] as const) {
      expect(Object.keys(words[kind]).filter((id) => !there[kind].includes(id)), kind).toEqual([]);
      for (const [id, said] of Object.entries<object | undefined>(words[kind])) {
        const { title, forms = {}, simplified, untrained, trained, differs, ...sentences } =
          said as Record<string, string> & { forms?: Record<string, string> };
        expect(title?.trim(), id).toBeTruthy();
        expect(Object.keys(sentences).toSorted(), id).toEqual(parts[kind]);
        // A source of each kind that the task makes, and what kind it is.
        expect(Object.keys(forms).toSorted(), id).toEqual((taskForms.get(id) ?? []).toSorted());
        for (const sentence of [...Object.values(sentences), ...Object.values(forms)])
          expect([foreign.test(sentence), /\.$/.test(sentence)], `${id}: ${sentence}`).toEqual([true, true]);
      }
    }
  });

  // A caveat that English has gained since would put the others in wrong places, so that the page shows none of them.
  it('say as many sentences as the record where a system is simpler than its paper or elsewhere than the survey',
    async () => {
    const words = Object.entries((await load()).systems);
    const known = new Map(systems.map((one) => [one.id, one]));
    for (const [id, said] of words) {
      for (const part of CAVEATS) expect(said?.[part]?.length ?? 0, id).toBe(known.get(id)?.[part]?.length ?? 0);
      const differing = (one?: { differs?: object }): string[] => Object.keys(one?.differs ?? {}).toSorted();
      expect(differing(said), id).toEqual(differing(known.get(id)));
    }
    const caveats = (said: Partial<Record<Caveats, readonly string[]>> | undefined) =>
      CAVEATS.flatMap((part) => said?.[part] ?? []);
    const ours = new Set(systems.flatMap((one) => [...caveats(one), ...Object.values(one.differs ?? {})]));
    const theirs = words.flatMap(([, said]) =>
      [...caveats(said), ...Object.values(said?.differs ?? {})] as string[]);
    if (WHOLE.some((one) => one === code)) expect(theirs.length).toBeGreaterThan(100);
    for (const said of theirs)
      expect([foreign.test(said), /\.$/.test(said), ours.has(said)], said).toEqual([true, true, false]);
  });

  it('are fetched when something shows one, and drawn when they are there', async () => {
    await speak(code);
    let drawn = 0;
    const host = { requestUpdate: () => void drawn++ };
    expect(recordWords(host)).toBeUndefined();
    expect(recordWords(host)).toBeUndefined();
    await vi.waitFor(() => expect(drawn).toBe(1));
    expect(recordWords(host)?.systems['transformer']).toEqual((await load()).systems['transformer']);
    await speak('en');
    expect(recordWords(host)).toBeUndefined();
  });
});
