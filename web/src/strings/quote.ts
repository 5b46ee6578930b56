// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { strings } from './en.ts';
import { engineWords, language } from './language.ts';
import { isRightToLeft } from './message.ts';
import { prose } from './prose.ts';

// Unicode's isolate for text from left to right: where the text is all there is, its order is still right.
const [OPEN, CLOSE] = ['\u2066', '\u2069'];

// What is filled into a sentence keeps its own order in one that runs from right to left.
const [APART, TOGETHER] = ['\u2068', '\u2069'];

const patterns = new Map<string, RegExp>();
function patternOf(sentence: string): RegExp {
  let found = patterns.get(sentence);
  if (!found) {
    const text = sentence.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\d\}/g, '(.+?)');
    patterns.set(sentence, found = new RegExp(`^${text}$`));
  }
  return found;
}

// A refusal in the reader's words, where there are any for it.
function refusal(english: string): string | undefined {
  const mark = isRightToLeft(language());
  for (const [sentence, own] of Object.entries(engineWords()?.refusals ?? {})) {
    const names = patternOf(sentence).exec(english);
    if (names) return own.replace(/\{(\d)\}/g, (_all, k: string) =>
      (mark ? APART + names[Number(k)]! + TOGETHER : names[Number(k)]!));
  }
  return undefined;
}

/**
 * What comes in English, for a place inside a sentence of the page; `withQuotes` marks it there. A refusal of the
 * engine is put into the reader's words where there are any.
 */
export const quote = (english: string): string =>
  (language() === 'en' ? english : refusal(english) ?? OPEN + english + CLOSE);

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
