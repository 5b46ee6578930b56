// SPDX-License-Identifier: Apache-2.0
// Sentences with something to fill in are Fluent's (docs/adr/0071-messages.md): a text with { $names }, numbers told by
// Intl as the
// language tells them, and as many forms of a counted word as the language has. English also says what a caller hands
// over.
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';

/** What may stand in a sentence: text, a number, or a list, which is joined as the language joins lists. */
export type Value = string | number | readonly string[];
export type Values = Readonly<Record<string, Value>>;

// The names that a text uses, each written "{ $name }" or "{ $name ->".
type Used<Text extends string> = Text extends `${string}$${infer Name} ${infer Rest}` ? Name | Used<Rest> : never;

/** A sentence in English, and how the names in it come about from what a caller hands over. */
export class Message<Given extends readonly unknown[]> {
  constructor(
    readonly take: (...given: Given) => Values,
    readonly text: string,
  ) {}
}

/** A sentence; a name in the text that nobody hands over does not compile. */
export function message<Given extends readonly unknown[], Named extends Values, const Text extends string>(
  take: (...given: Given) => Named,
  text: Used<Text> extends keyof Named ? Text : never,
): Message<Given> {
  return new Message<Given>(take, text);
}

/** What callers see of a tree of words: sentences are functions. */
export type Told<Words> = Words extends Message<infer Given> ? (...given: Given) => string
  : Words extends string | readonly unknown[] | ((...given: never[]) => unknown) ? Words
  : { readonly [Key in keyof Words]: Told<Words[Key]> };

/** What another language has to say: for each sentence its own text. */
export type Translated<Words> = Words extends { readonly take: unknown; readonly text: string } | string ? string
  : Words extends (...given: never[]) => unknown ? Words
  : Words extends readonly string[] ? readonly string[]
  : { readonly [Key in keyof Words]: Translated<Words[Key]> };

/** The words of a language whose translation is not complete: the page shows the others in English. */
export type Partly<Words> = Words extends string | readonly unknown[] | ((...given: never[]) => unknown) ? Words
  : { readonly [Key in keyof Words]?: Partly<Words[Key]> };

/** The forms that a language has for counted words; the tests ask Intl whether these are all. */
export type Forms = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

/** A counted word: "#" in a form stands for the number itself. */
export function plural<Form extends Forms>(name: string, forms: Record<Form | 'other', string>): string {
  const variants = Object.entries<string>(forms).map(([form, text]) =>
    `\n ${form === 'other' ? '*' : ''}[${form}] ${text.replaceAll('#', `{ $${name} }`)}`);
  return `{ $${name} ->${variants.join('')}\n }`;
}

/** One of several texts, by what a name says; the last one stands for all else. */
export function either(name: string, texts: Readonly<Record<string, string>>): string {
  const last = Object.keys(texts).at(-1);
  return `{ $${name} ->${Object.entries(texts).map(([is, text]) => `\n ${is === last ? '*' : ''}[${is}] ${text}`)
    .join('')}\n }`;
}

/**
 * The locale for the numbers, lists and plural forms of a language. Every language has the digits of the formulas (the
 * ADR says why).
 */
export const localeOf = (language: string): string => `${language}-u-nu-latn`;

// Almost every part asks for it each time that it is drawn.
const leftwards = new Map<string, boolean>();

/** Whether a language is written from right to left, which depends on its script. */
export function isRightToLeft(language: string): boolean {
  let found = leftwards.get(language);
  if (found === undefined) {
    found = /Arab|Hebr|Thaa|Syrc|Nkoo|Adlm/.test(new Intl.Locale(language).maximize().script ?? '');
    leftwards.set(language, found);
  }
  return found;
}

interface Speaker {
  readonly bundle: FluentBundle;
  /** Made when a list is first told. */
  list?: Intl.ListFormat;
  readonly leftward: boolean;
  readonly read: Map<string, Parameters<FluentBundle['formatPattern']>[0]>;
}
const speakers = new Map<string, Speaker>();

const listIn = (language: string): Intl.ListFormat =>
  new Intl.ListFormat(localeOf(language), { type: 'conjunction' });

function speaker(language: string): Speaker {
  let found = speakers.get(language);
  if (!found) {
    const locale = localeOf(language);
    // Isolated: a Latin word or a number keeps its own order inside a sentence from right to left.
    const leftward = isRightToLeft(language);
    const bundle = new FluentBundle(locale, { useIsolating: leftward });
    found = { bundle, leftward, read: new Map() };
    speakers.set(language, found);
  }
  return found;
}

/** The pattern of a text; one that cannot be read is a mistake in a file of words, which the tests find. */
export function patternOf(text: string): Parameters<FluentBundle['formatPattern']>[0] {
  const [entry] = new FluentResource(`text = ${text}`).body;
  if (entry?.value == null) throw new Error(`not a message of Fluent: ${text}`);
  return entry.value;
}

// A number in an isolate of its own would stand in two: the sentence puts one around all that is filled in.
const bare = (value: string): string => value.replace(/^\u2066([^\p{L}\u2066-\u2069]*)\u2069$/u, '$1');

const OPENS = /[\u2066-\u2068]/;
const ENDS = '\u2069';

/** The same without the isolates that hold others: the words of one inside another are left out in some fonts. */
export function unnested(text: string): string {
  const letters = [...text];
  const open: { at: number; holds: boolean }[] = [];
  letters.forEach((letter, at) => {
    if (OPENS.test(letter)) {
      for (const one of open) one.holds = true;
      open.push({ at, holds: false });
    } else if (letter === ENDS) {
      const one = open.pop();
      if (one?.holds) letters[one.at] = letters[at] = '';
    }
  });
  return letters.join('');
}

/** A text with its names filled in, as the language says it. */
export function tell(language: string, text: string, values: Values): string {
  const speaks = speaker(language);
  const { bundle, leftward, read } = speaks;
  let pattern = read.get(text);
  if (pattern === undefined) read.set(text, (pattern = patternOf(text)));
  const given: Record<string, FluentVariable> = {};
  for (const [name, value] of Object.entries(values))
    given[name] = typeof value === 'object' ? (speaks.list ??= listIn(language)).format(value)
      : typeof value === 'string' ? bare(value) : value;
  // With a list for what goes wrong, nothing throws: a name that is missing shows as itself.
  const told = bundle.formatPattern(pattern, given, []);
  return leftward ? unnested(told) : told;
}
