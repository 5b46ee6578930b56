// SPDX-License-Identifier: Apache-2.0
import choices from './engine/choices.json';
import { html } from 'lit';
import { strings } from './en.ts';
import { engineWords, language } from './language.ts';
import { isRightToLeft } from './message.ts';
import { prose } from './prose.ts';

// Unicode's isolate for text from left to right: where the text is all there is, its order is still right.
const [OPEN, CLOSE] = ['\u2066', '\u2069'];

// What is filled into a sentence keeps its own order in one that runs from right to left.
const [APART, TOGETHER] = ['\u2068', '\u2069'];

/** By language, sentences of the engine with {1}, {2} .. for what they name, and the same in that language. */
type Refusals = Readonly<Record<string, string>>;
const more = new Map<string, Refusals>();
const plain = (sentence: string): number => sentence.replace(/\{\d\}/g, '').length;

interface Pattern {
  expression: RegExp;
  own: string;
}

// The one with the most words of its own comes first: "the tensor {1} has the type {2}" before "the tensor {1} {2}".
function patternsOf(sentences: Refusals): Pattern[] {
  return Object.entries(sentences).toSorted(([a], [b]) => plain(b) - plain(a)).map(([sentence, own]) => {
    const text = sentence.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\d\}/g, '(.*?)');
    return { expression: new RegExp(`^${text}$`, 's'), own };
  });
}
const patterns = new WeakMap<object, Pattern[]>();

/** A part of the page brings what the engine says only to it. */
export function learnRefusals(code: string, sentences: Refusals): void {
  more.set(code, { ...more.get(code), ...sentences });
}

function known(): Pattern[] {
  return [engineWords()?.refusals, more.get(language())].flatMap((sentences) => {
    if (!sentences) return [];
    let found = patterns.get(sentences);
    if (!found) patterns.set(sentences, found = patternsOf(sentences));
    return found;
  });
}

// A refusal in the reader's words, where there are any for it; what it names may be a phrase or a refusal itself.
function refusal(english: string): string | undefined {
  const mark = isRightToLeft(language());
  for (const { expression, own } of known()) {
    const names = expression.exec(english);
    if (!names) continue;
    return own.replace(/\{(\d)\}/g, (_all, k: string) => {
      const name = insideBrackets(names[Number(k)]!);
      return mark && name !== '' ? APART + name + TOGETHER : name;
    });
  }
  // The engine names the mechanism that refuses in front of what it says: "location-based": there are 8 keys.
  const [, name, said] = /^"([^"]+)": (.+)$/s.exec(english) ?? [];
  const own = said === undefined ? undefined : refusal(said);
  return own === undefined ? undefined : `${mark ? APART : ''}${name}${mark ? TOGETHER : ''}: ${own}`;
}

// "fc_norm.weight (a norm of the averaged tokens), reg_token": what is said of a name in brackets.
const insideBrackets = (name: string): string => refusal(name)
  ?? name.replace(/ \((\w[^()]* [^()]*(?:\([^()]*\))?)\)/g, (all, said: string) => {
    const own = refusal(said);
    return own === undefined ? all : ` (${own})`;
  });

/**
 * What comes in English, for a place inside a sentence of the page; `withQuotes` marks it there. A refusal of the
 * engine is put into the reader's words where there are any: into clearer ones in English, too.
 */
export const quote = (english: string): string =>
  refusal(english) ?? (language() === 'en' ? english : OPEN + english + CLOSE);

/** Text with the quotes in it marked as English that runs from left to right. */
export function withQuotes(text: string): unknown {
  return text.split(OPEN).map((part, k) => {
    const end = part.indexOf(CLOSE);
    return k === 0 || end < 0 ? prose(part)
      : html`<span lang="en" dir="ltr">${prose(part.slice(0, end))}</span>${prose(part.slice(end + 1))}`;
  });
}

/** What the engine objects to at a field, told as a sentence of the page's. */
export const objection = (field: string, message: string): unknown =>
  withQuotes(strings.engineSays(field, quote(message.replace(/\.$/, ''))));

/** A phrase of the engine in the reader's words where there are any, else as it is. */
export const phrase = (english: string): string => engineWords()?.phrases[english] ?? english;

const choiceWords = (id: string): string | undefined =>
  engineWords()?.phrases[id] ?? (choices as Readonly<Record<string, string>>)[id];

/**
 * A choice of a knob, which documents name in short: in the reader's words, else by its English name. `of`: the id of
 * the mechanism, since a letter can mean something else in another mechanism.
 */
export const choiceCalled = (id: string, of = ''): string => choiceWords(`${of} ${id}`) ?? choiceWords(id) ?? id;

/** The same for a place that can be marked as English. */
export const said = (english: string): unknown => withQuotes(engineWords()?.phrases[english] ?? quote(english));

const numeral = (word: string): boolean => /^[IVX]+$/.test(word);

/** Where in a source: "section 3, equation 1". Each part is in the reader's words if there is one for all of it. */
export function cited(where: string): unknown {
  const words = engineWords()?.phrases;
  if (!words) return where;
  const plain = /[A-Za-z]{2,}/g;
  const known = (part: string) => words[part] !== undefined
    || (part.match(plain) ?? []).every((word) => numeral(word) || words[word] !== undefined);
  const parts = where.split(/([,;] )/);
  const text = parts.map((part, k) => (k % 2 === 1 ? part === ', ' ? strings.comma : part
    : words[part] ?? (known(part) ? part.replace(plain, (word) => words[word] ?? word) : quote(part)))).join('');
  return parts.every(known) ? text : withQuotes(text);
}
