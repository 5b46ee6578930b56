// SPDX-License-Identifier: Apache-2.0
// Reads a lesson that an author wrote. Nothing in it is trusted; what is wrong is told with its place, what was
// expected there and what was found.
import { comesWithPage } from '../engine/weight-files.ts';
import { isObject, join } from '../engine/pointer.ts';
import type { Doc, Json, JsonObject } from '../engine/types.ts';
import { parse } from '../state/parse.ts';
import { answerIn } from './answer.ts';
import { CAME, type Condition, type Lesson, SIGNS, WHATS, type Words } from './types.ts';
import { words } from './words.ts';

/** A lesson's schema, by which its file is known. */
export const SCHEMA = 'attention-playground-lesson/1';
/** The chapter of lessons that do not come with the page. */
export const OWN = 'own';

const GROUPS = ['inputs', 'outputs', 'parameters', 'steps', 'gradients'];
const PLACES = ['inputs', 'controls', 'flow', 'card', 'steps'];
const MOST_STEPS = 24;
const LONGEST = 2000;
const DEEPEST = 8;

/** Why a text is no lesson. */
export class WrongLesson extends Error {
  constructor(path: string, expected: string, found: Json | undefined) {
    super(words().wrong(path === '' ? '/' : path, expected, shortly(found)));
  }
}

const shortly = (value: Json | undefined): string => {
  const text = value === undefined ? words().nothing : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

type Check = (value: Json | undefined, path: string) => void;

const refuse = (path: string, expected: string, found: Json | undefined): never => {
  throw new WrongLesson(path, expected, found);
};

const text: Check = (value, path) => {
  if (typeof value !== 'string') refuse(path, words().text, value);
  else if (value.length > LONGEST) refuse(path, words().textOf(LONGEST), value);
};
const number: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) refuse(path, words().number, value);
};
const count: Check = (value, path) => {
  if (!Number.isInteger(value) || (value as number) < 0) refuse(path, words().count, value);
};
const yes: Check = (value, path) => void (value === true || refuse(path, words().oneOf(['true']), value));
const oneOf = (known: readonly string[]): Check => (value, path) =>
  void (typeof value === 'string' && known.includes(value) || refuse(path, words().oneOf([...known]), value));
const list = (check: Check, size?: number): Check => (value, path) => {
  if (!Array.isArray(value) || (size !== undefined && value.length !== size))
    return void refuse(path, size === undefined ? words().list : words().listOf(size), value);
  value.forEach((one, k) => check(one, path + join(k)));
};
const anything: Check = (value, path) => void (value !== undefined || refuse(path, words().something, value));

// An object with these members and no others; a name with "?" may be missing.
const members = (known: Readonly<Record<string, Check>>): Check => (value, path) => {
  if (!isObject(value)) return void refuse(path, words().object, value);
  const names = Object.keys(known).map((name) => name.replace('?', ''));
  for (const name of Object.keys(value))
    if (!names.includes(name)) refuse(path + join(name), words().oneOf(names), name);
  for (const [name, check] of Object.entries(known)) {
    const at = name.replace('?', '');
    if (value[at] !== undefined || !name.endsWith('?')) check(value[at], path + join(at));
  }
};

const range = list(count, 2);
const measure = members({ of: text, what: oneOf(WHATS), 'group?': oneOf(GROUPS), 'head?': count, 'rows?': range,
  'cols?': range, 'row?': text, 'col?': text, 'then?': yes });
const numberOrMeasure: Check = (value, path) => (isObject(value) ? measure : number)(value, path);
const holds = members({ path: text, type: text });
const sign = oneOf(SIGNS);

// By the member that tells them apart: what each condition needs.
const CONDITIONS: readonly (readonly [string, (deep: number) => Check])[] = [
  ['all', (deep) => members({ all: list(condition(deep)) })],
  ['any', (deep) => members({ any: list(condition(deep)) })],
  ['not', (deep) => members({ not: condition(deep) })],
  ['measure', () => members({ measure, is: sign, than: numberOrMeasure })],
  ['equals', () => members({ path: text, equals: anything })],
  ['type', () => members({ path: text, type: text })],
  ['path', () => members({ path: text, is: sign, than: number })],
  ['list', () => members({ list: text, holds: text })],
  ['tokens', () => members({ tokens: (value, path) => (Array.isArray(value) ? list(text)
    : oneOf(['same', 'other', 'shuffled']))(value, path), 'input?': text })],
  ['held', () => members({ held: text, 'cell?': list(count), 'value?': number })],
  ['view', () => members({ view: text })],
  ['head', () => members({ head: (value, path) => {
    list(anything, 2)(value, path);
    text((value as Json[])[0], path + join(0));
    count((value as Json[])[1], path + join(1));
  } })],
  ['stage', () => members({ stage: text })],
  ['table', () => members({ table: text })],
  ['changed', () => members({ changed: text })],
  ['undone', () => members({ undone: yes })],
  ['trained', () => members({ trained: oneOf(CAME), is: sign, 'where?': holds, than: (value, path) =>
    (isObject(value) ? members({ path: text, type: text, plus: number }) : number)(value, path) })],
  ['tried', () => members({ tried: count })],
  ['asked', () => members({ asked: count })],
  ['chosen', () => members({ chosen: count })],
  ['typed', () => members({ typed: numberOrMeasure, within: (value, path) => {
    number(value, path);
    if ((value as number) < 0) refuse(path, words().fromZero, value);
  } })],
  ['word', () => members({ word: list(text) })],
  ['byLength', () => members({ byLength: holds, over: holds, plus: number, runs: count })],
];

const condition = (deep = 0): Check => (value, path) => {
  const kinds = CONDITIONS.map(([name]) => name);
  if (!isObject(value) || deep > DEEPEST) return void refuse(path, words().condition(kinds), value);
  const found = CONDITIONS.find(([name]) => value[name] !== undefined);
  if (!found) refuse(path, words().condition(kinds), value);
  else found[1](deep + 1)(value, path);
};

const document: Check = (value, path) => {
  const found = isObject(value) ? parse(JSON.stringify(value)) : undefined;
  if (!found || !('document' in found)) return void refuse(path, words().document, value);
  const { parameters } = found.document;
  const from = isObject(parameters) ? parameters['from'] : undefined;
  if (from !== undefined && (typeof from !== 'string' || !comesWithPage(from)))
    refuse(path + join('parameters', 'from'), words().shipped, from as Json);
};

const lock = members({ 'group?': oneOf(GROUPS), tensor: text, index: list(count) });

function checkWords(value: Json | undefined, path: string, steps: readonly Json[], show: number): void {
  members({ title: text, 'also?': text, 'show?': list(text, show), steps: list(members({ 'say?': text, do: text,
    'done?': text, 'choices?': list(text), 'hint?': text }), steps.length) })(value, path);
  // Of a list to choose from the right answer is one.
  ((value as JsonObject)['steps'] as JsonObject[]).forEach(({ choices }, k) => {
    const asked = answerIn((steps[k] as { until: Condition } & Json).until);
    const least = asked && 'chosen' in asked ? asked.chosen + 1 : 0;
    if (least > 0 && !(Array.isArray(choices) && choices.length >= least))
      refuse(path + join('steps', k, 'choices'), words().listFrom(least), choices);
  });
  if (show > 0 && (value as JsonObject)['show'] === undefined)
    refuse(path + join('show'), words().listOf(show), undefined);
}

const whole = (spoken: Json): Words => {
  const { steps, ...rest } = spoken as JsonObject & { steps: JsonObject[] };
  return { ...rest, steps: steps.map((step) => ({ say: '', done: '', ...step })) } as unknown as Words;
};

/** What a lesson says in a language, or in the one that it has. */
export const wordsIn = (lesson: Lesson, language: string): Words => lesson.text[language] ?? lesson.text['en']
  ?? Object.values(lesson.text)[0]!;

/** Whether JSON means to be a lesson. */
export const isLesson = (value: Json): boolean => isObject(value)
  && (String(value['schema']).startsWith('attention-playground-lesson/')
    || (Array.isArray(value['steps']) && isObject(value['text'])));

/** The lesson of this JSON, called by `id`; throws WrongLesson where it is none. */
export function readLesson(value: Json, id: string): Lesson {
  members({ schema: oneOf([SCHEMA]), 'document?': document, 'lock?': lock, 'place?': oneOf(['train']),
    'show?': list(measure), text: anything, steps: (steps, path) => {
      list(members({ until: condition(), 'document?': document, 'at?': oneOf(PLACES),
        'sources?': list(text) }))(steps, path);
      const { length } = steps as Json[];
      if (length < 1 || length > MOST_STEPS) refuse(path, words().steps(MOST_STEPS), steps);
    } })(value, '');
  const { schema: _schema, text: said, lock: held, ...rest } = value as JsonObject & { steps: Json[]; show?: Json[] };
  const [steps, show] = [rest.steps, rest.show?.length ?? 0];
  // One language needs no name.
  const alone = isObject(said) && said['title'] !== undefined;
  const all = alone ? { en: said } : said;
  if (!isObject(all) || Object.keys(all).length === 0) return refuse('/text', words().object, said);
  for (const [code, one] of Object.entries(all)) checkWords(one, `/text${alone ? '' : join(code)}`, steps, show);
  const spoken = Object.fromEntries(Object.entries(all).map(([code, one]) => [code, whole(one)]));
  return { ...rest, ...(held ? { lock: { group: 'outputs', ...held as JsonObject } } : {}), id, chapter: OWN, order: 0,
    text: spoken } as unknown as Lesson & { document?: Doc };
}
