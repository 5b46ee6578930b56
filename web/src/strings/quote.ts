// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { strings } from './en.ts';
import { engineWords, language } from './language.ts';
import { prose } from './prose.ts';

// Unicode's isolate for text from left to right: where the text is all there is, its order is still right.
const [OPEN, CLOSE] = ['\u2066', '\u2069'];

/** What comes in English, for a place inside a sentence of the page; `told` marks it there. */
export const quote = (english: string): string => (language() === 'en' ? english : OPEN + english + CLOSE);

/** Text with the quotes in it marked as English that runs from left to right. */
export function told(text: string): unknown {
  return text.split(OPEN).map((part, k) => {
    const end = part.indexOf(CLOSE);
    return k === 0 || end < 0 ? prose(part)
      : html`<span lang="en" dir="ltr">${prose(part.slice(0, end))}</span>${prose(part.slice(end + 1))}`;
  });
}

/** What the engine objects to at a field, told as a sentence of the page's. */
export const objection = (field: string, message: string): unknown =>
  told(strings.engineSays(field, quote(message.replace(/\.$/, ''))));

/** A phrase of the engine in the reader's words where there are any, else as it is. */
export const phrase = (english: string): string => engineWords()?.phrases[english] ?? english;

/** The same for a place that can be marked as English. */
export const said = (english: string): unknown => told(engineWords()?.phrases[english] ?? quote(english));

/** Where in a source: "section 3, equation 1". In the reader's words only if there is one for each. */
export function cited(where: string): unknown {
  const words = engineWords()?.phrases;
  if (!words) return where;
  const plain = /[A-Za-z]{2,}/g;
  const numeral = (word: string) => /^[IVX]+$/.test(word);
  if (!(where.match(plain) ?? []).every((word) => numeral(word) || words[word] !== undefined))
    return told(quote(where));
  return where.replace(plain, (word) => words[word] ?? word).replaceAll(', ', strings.comma);
}
