// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { lasts, met, onlyLooks, type Scene } from '../src/lessons/condition.ts';
import { byChapter, lessons as course } from '../src/lessons/course.ts';
import { answersTo, findLessons, partsFound } from '../src/lessons/search.ts';
import { papersOf } from '../src/lessons/sources.ts';
import type { Condition, Lesson } from '../src/lessons/types.ts';
import { Book } from '../src/state/catalogue.ts';
import '../src/strings/en-later.ts';
import arabic from '../src/strings/ar.ts';
import german from '../src/strings/de.ts';
import { folded } from '../src/strings/folded.ts';
import { strings } from '../src/strings/en.ts';
import { atLength, lengthsOf, spanOf } from '../src/train/lengths.ts';
import type { TrainingDocument } from '../src/train/messages.ts';

const root = join(import.meta.dirname, '../../');
const book = new Book(JSON.parse(readFileSync(`${root}build/wasm/bin/catalogue.json`, 'utf8')) as Catalogue);
const folder = `${root}web/src/lessons/data/`;
const lessons = readdirSync(folder).map((file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Lesson);

// Only what these conditions look at.
const scene = (some: Partial<Scene>): Scene =>
  ({ book, trained: [], tried: 0, asked: 0, lengths: [], ...some }) as Scene;
const holding = (type: string): Doc => ({ model: [{ attention: { alignment: { type } } }] }) as unknown as Doc;
const runs = (type: string, count: number, shares: number[]) =>
  Array.from({ length: count }, () =>
    ({ document: holding(type), points: shares.map((accuracy, k) => ({ length: 4 + k, accuracy })) }));
const path = '/model/0/attention/alignment';
const more: Condition = { byLength: { path, type: 'softmax' }, over: { path, type: 'uniform' }, plus: 0.2, runs: 5 };

it('right by length: as many runs of both kinds, compared where the questions are longest', () => {
  const look = runs('softmax', 5, [0.9, 0.9]);
  expect(met(more, scene({ lengths: [...look, ...runs('uniform', 5, [0.9, 0.6])] }))).toBe(true);
  expect(met(more, scene({ lengths: [...look, ...runs('uniform', 5, [0.3, 0.8])] })), 'too little is lost at the end')
    .toBe(false);
  expect(met(more, scene({ lengths: [...look, ...runs('uniform', 4, [0.9, 0.1])] })), 'four are too few').toBe(false);
  const beyond = [...look, ...runs('uniform', 5, [0.9, 0.6])].map((run) =>
    ({ ...run, near: 5, points: [...run.points, { length: 9, accuracy: 0.1 }] }));
  expect(met(more, scene({ lengths: beyond })), 'no model is right far beyond its training').toBe(true);
  expect(met(more, scene({})), 'nothing measured').toBe(false);
});

it('a model that was asked', () => {
  expect(met({ asked: 2 }, scene({ asked: 1 }))).toBe(false);
  expect(met({ asked: 2 }, scene({ asked: 2 }))).toBe(true);
});

it('lessons that are done by training say what is trained, and wait for what it came to', () => {
  const trained = lessons.filter(({ place }) => place === 'train');
  expect(trained.map(({ id }) => id).toSorted())
    .toEqual(expect.arrayContaining(['aspects', 'bottleneck', 'diagonal', 'drank-water', 'heads-that-differ',
    'induction', 'not-explanation', 'own-embedding', 'pairs-needed']));
  for (const { id, document, steps } of trained) {
    expect(document?.['training'], id).toBeDefined();
    expect(met(steps[0]!.until, scene({})), `${id} is done before anything was trained`).toBe(false);
  }
});

const knob = (name: string, minimum: number, maximum: number, usual: number) =>
  ({ name, type: 'integer', minimum, maximum, default: usual });

it('the lengths of a task are the two numbers with the same bounds', () => {
  const knobs = [knob('a', 1, 60, 3), knob('b', 1, 60, 8), knob('c', 2, 36, 10), knob('d', 0, 1, 1)];
  const span = spanOf(knobs)!;
  expect([span.least.name, span.most.name]).toEqual(['a', 'b']);
  expect(spanOf([knob('digits', 1, 12, 3), knob('end', 0, 1, 1)])).toBeUndefined();
  const document = { training: { task: 'any' } } as unknown as TrainingDocument;
  expect(lengthsOf(document, span), 'up to twice the longest').toEqual([3, 5, 7, 9, 11, 13, 15]);
  expect(atLength(document, span, 5).training['task']).toEqual({ type: 'any', a: 5, b: 5 });
  expect(lengthsOf({ training: { task: { type: 'any', a: 4, b: 5 } } } as unknown as TrainingDocument, span))
    .toEqual([4, 5, 6, 7, 8, 9, 10]);
});

it('chapters stand in the order of their lessons, and one that the words do not know is there all the same', () => {
  const some = [{ chapter: 'b', id: 1 }, { chapter: 'new', id: 2 }, { chapter: 'a', id: 3 }, { chapter: 'b', id: 4 }];
  expect(byChapter(some).map(([chapter, here]) => [chapter, here.map(({ id }) => id)]))
    .toEqual([['b', [1, 4]], ['new', [2]], ['a', [3]]]);
  const chapters = byChapter(course);
  expect(chapters.flatMap(([, here]) => here)).toEqual(course);
  expect(chapters.map(([chapter]) => chapter).filter((chapter) => strings.learn.chapters[chapter] === undefined))
    .toEqual([]);
  expect(new Set(course.map(({ order }) => order)).size, 'no two lessons in one place').toBe(course.length);
});

it('the tour says in each language where the weights are: below the choice of views, not by a caption', () => {
  const tour = lessons.find(({ id }) => id === 'tour')!;
  for (const [code, { views }] of Object.entries({ en: strings, de: german, ar: arabic })) {
    const [first] = (tour.text as Record<string, { steps: { do: string }[] }>)[code]!.steps;
    for (const view of Object.values(views)) expect(first!.do, code).toContain(view);
  }
});

it('a search finds what a lesson says, or else the parts that it shows by the names of the gallery', () => {
  const found = (search: string) => findLessons(course, search, book).map(({ id }) => id);
  expect(found('window')).toContain('path-length');
  // No lesson says the name of this part, which is in the document of one of them.
  const silent = course.find(({ document }) => JSON.stringify(document ?? {}).includes('"fm-birnn"'));
  expect(course.some(({ text }) => folded(JSON.stringify(text)).includes('fm birnn'))).toBe(false);
  expect(found('fm-birnn')).toContain(silent!.id);
  // Of several things as of one, as the gallery does.
  expect(found('convolutions')).toEqual(found('convolution'));
  expect(found('qwertz')).toEqual([]);
  // What people call it who do not know its words.
  for (const search of ['ablation', 'switch off', 'remove a head'])
    expect(found(search)).toContain('heads-that-differ');
  expect(found('induction head')).toEqual(['induction']);
  // Lessons that only use what is called so are not about it: their parts are named.
  const parts = (search: string) => partsFound(findLessons(course, search, book), search, book);
  expect(found('external-energy').length).toBeGreaterThan(0);
  expect(parts('external-energy')).toEqual([book.find('score', 'external-energy')!.title]);
  expect([parts('window'), parts('qwertz')]).toEqual([[], []]);
});

it('a search finds places of the page that no lesson is about', () => {
  const places = (search: string) => answersTo(course, search, book).hits.slice(0, 3)
    .flatMap((hit) => ('place' in hit ? [hit.place] : []));
  for (const search of ['my own model', 'checkpoint']) expect(places(search), search).toContain('model');
  for (const search of ['exercise', 'homework']) expect(places(search), search).toContain('exercise');
  for (const search of ['privacy', 'server', 'offline', 'data'])
    expect(places(search), search).toContain('privacy');
  for (const search of ['licence', 'license', 'copyright']) expect(places(search), search).toContain('licence');
  expect([answersTo(course, ' ', book).hits, answersTo(course, 'qwertz', book).hits]).toEqual([[], []]);
});

it('the papers of a step are those of the catalogue, and its sentences give their years', () => {
  const withPapers = lessons.filter(({ steps }) => steps.some(({ sources }) => sources));
  expect(withPapers.map(({ id }) => id)).toContain('origins');
  for (const { id, steps, text } of withPapers) {
    for (const [k, { sources = [] }] of steps.entries()) {
      const papers = papersOf(book, sources);
      expect(papers.length, `${id}, step ${k + 1}: all are known`).toBe(sources.length);
      for (const { steps: said } of Object.values(text)) {
        for (const { year, authors } of papers) {
          expect(said[k]!.say + said[k]!.done + (said[k - 1]?.done ?? ''), `${id}: ${authors} ${year}`)
            .toContain(String(year));
        }
      }
    }
    // Who is named with a year is among the papers of the lesson.
    const papers = papersOf(book, steps.flatMap(({ sources = [] }) => sources));
    for (const { say, done } of text['en']!.steps) {
      for (const [, name, year] of `${say} ${done}`.matchAll(/([A-Z]\p{L}+)(?: et al\.)? \(?(\d{4})\)?/gu)) {
        if (['In', 'Models'].includes(name!)) continue;
        expect(papers.some((one) => one.authors.includes(name!) && String(one.year) === year), `${name} ${year}`)
          .toBe(true);
      }
    }
  }
});

it('what a step showed holds as long as the numbers are as it asked, wherever the reader looks', () => {
  const tokens = (...list: string[]) => ({ document: { inputs: { x: { tokens: list } } } }) as unknown as Scene['now'];
  const other: Condition = { all: [{ tokens: 'other' }, { held: 'weights' }] };
  const at = (now: Scene['now'], held?: string) => scene({ now, then: tokens('a', 'b'), held });
  expect([met(other, at(tokens('a', 'c'), 'weights')), lasts(other, at(tokens('a', 'c')))]).toEqual([true, true]);
  expect(lasts(other, at(tokens('a', 'b'), 'weights')), 'the word is back').toBe(false);
  expect(lasts({ not: { view: 'matrix' } }, scene({ view: 'matrix' }))).toBe(true);
  expect(lasts({ any: [{ tokens: 'other' }, { tokens: 'shuffled' }] }, at(tokens('a', 'b')))).toBe(false);
  expect([onlyLooks({ all: [{ held: '*' }, { not: { view: 'matrix' } }] }), onlyLooks(other), onlyLooks({ asked: 1 })])
    .toEqual([true, false, false]);
});

it('every number that a sentence leaves open is measured, in each language', () => {
  for (const { id, said = [], text } of lessons) for (const [code, { steps }] of Object.entries(text)) {
    const gaps = steps.flatMap(({ done }) => [...done.matchAll(/\{(\d+)\}/g)].map(([, k]) => Number(k)));
    expect([...new Set(gaps)].toSorted(), `${id} ${code}`).toEqual(said.map((_, k) => k));
  }
});
