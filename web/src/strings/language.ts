// SPDX-License-Identifier: Apache-2.0
import { languages as found } from 'virtual:languages';
import { whilePending } from '../lazy-fetch.ts';
import type { EngineWords } from './engine.ts';
import { first, type Words } from './en.ts';
import { isKnown, isTree, learn, spokenNow, type Tree, turnTo } from './live.ts';
import { isRightToLeft, Message, type Partly, type Translated } from './message.ts';
import { keepText, recalled } from '../engine/stored.ts';

export { speaking } from './live.ts';

/** The words of a language that has all of them. */
export type Strings = Translated<Words>;
/** The words of a language that has some of them. */
export type SomeStrings = Partly<Strings>;
/** The code of a language, which is the name of its file of words: "de" for de.ts. */
export type Language = string;

export interface About {
  /** Its name in itself. */
  name: string;
  /** What the page says; English needs none, since the page begins with it. */
  load?: () => Promise<SomeStrings>;
  /** What the engine says: titles, sentences. */
  engine?: () => Promise<EngineWords>;
}

// Puts more words beside those that are there.
function more(into: Tree, from: Tree): void {
  for (const [key, value] of Object.entries(from)) {
    const old = into[key];
    if (isTree(value) && isTree(old) && !(value instanceof Message)) more(old, value);
    else into[key] = value;
  }
}

/** English words that came later; other languages come with all of theirs. */
export function addEnglish(words: Tree): void {
  more(first as unknown as Tree, words);
}

/** English, with which the page begins, and every language that has a file of words in this folder. */
export const languages: Readonly<Record<Language, About>> = found;

const engine = new Map<Language, EngineWords>();
/** What the page as a whole speaks: elements that say nothing of a language follow it. */
let page: Language = 'en';
export const pageLanguage = (): Language => page;

/** The language of the element that is being drawn, or that was touched last. */
export const language = (): Language => spokenNow();
export const direction = (): 'rtl' | 'ltr' => directionOf(language());
export const directionOf = (code: Language): 'rtl' | 'ltr' => (isRightToLeft(code) ? 'rtl' : 'ltr');

export { arrow, isolated, mixed } from './order.ts';

// Where a language's words did not load: everything stays English, and is marked as English.
const none: EngineWords = { mechanisms: {}, phrases: {} };
/** The words for what the engine says, or undefined where its own are spoken. */
export const engineWords = (code: Language = language()): EngineWords | undefined =>
  engine.get(code) ?? (code === 'en' ? undefined : none);

/** A word inside a sentence: of all languages only German and Luxembourgish begin every noun with a capital. */
export const inside = (word: string): string => (['de', 'lb'].includes(language()) ? word : word.toLowerCase());

/** Says 'change' when the page speaks another language. */
export const languageChanges = new EventTarget();

/** The first of these that there is a catalogue for. */
export function known(...wanted: (string | undefined | null)[]): Language | undefined {
  for (const one of wanted) {
    const code = one?.toLowerCase().split('-')[0];
    if (code && Object.hasOwn(languages, code)) return code;
  }
  return undefined;
}

// Words that do not load are asked for again with the next change of language; until then English takes their place.
const orEnglish = <T>(words: Promise<T> | undefined): Promise<T | undefined> =>
  words?.catch(() => undefined) ?? Promise.resolve(undefined);

/** Fetches the words of a language that are not here. Says whether the page can speak it. */
export async function ready(code: Language): Promise<boolean> {
  const { load, engine: fetched } = languages[code]!;
  const [words, more] = await whilePending(Promise.all([
    isKnown(code) ? undefined : orEnglish(load?.()), engine.has(code) ? undefined : orEnglish(fetched?.()),
    code === 'en' ? undefined : orEnglish(import('./gaps.ts'))]));
  if (more) engine.set(code, more);
  if (words) learn(code, words as Tree);
  return isKnown(code);
}

// Milliseconds that the page waits for the words of a language before it begins in English. Words that are refused end
// the wait at once, so only a slow network makes a reader wait, and then the page's other files are late as well.
const PATIENCE = 12_000;
let turning: Promise<unknown> | undefined;

/** Settles once the page speaks the language that it was told to speak, or cannot for now; undefined where it does. */
export const spoke = (): Promise<unknown> | undefined => turning;

/** The page as a whole speaks this language; without its words it keeps the one that it has. */
export async function speak(code: Language): Promise<void> {
  if (code === page) return;
  const turned = ready(code).then((came) => {
    if (!came) return;
    page = code;
    turnTo(code);
    languageChanges.dispatchEvent(new Event('change'));
  });
  const waited = Promise.race([turned, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  turning = waited;
  void waited.then(() => turning === waited && (turning = undefined), () => undefined);
  await turned;
}

const KEY = 'attention-playground.language';

export const remembered = (): string | undefined => recalled(KEY);

/** Without storage the choice lasts as long as the page. */
export const keep = (code: Language): unknown => keepText(KEY, code);
