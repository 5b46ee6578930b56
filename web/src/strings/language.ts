// SPDX-License-Identifier: Apache-2.0
import { whilePending } from '../later.ts';
import type { EngineWords } from './engine.ts';
import { first, type Words } from './en.ts';
import { isKnown, learn, spokenNow, type Tree, turnTo } from './live.ts';
import { Message, type Translated } from './message.ts';

export { speaking } from './live.ts';

/** What every catalogue of words has to hold. */
export type Strings = Translated<Words>;
export type Language = 'en' | 'de' | 'ar';

interface About {
  name: string;
  rightToLeft?: boolean;
  /** What the page says; English needs none, since the page begins with it. */
  load?: () => Promise<Strings>;
  /** What the engine says: titles, sentences. */
  engine?: () => Promise<EngineWords>;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** To add a language, add its catalogue here; the tests ask for every key, and for every lesson's words. */
export const languages: Record<Language, About> = {
  en: { name: 'English' },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).default,
    engine: async () => (await import('./engine/de.ts')).default },
  ar: { name: 'العربية', rightToLeft: true, load: async () => (await import('./ar.ts')).default,
    engine: async () => (await import('./engine/ar.ts')).default },
};

const engine = new Map<Language, EngineWords>();
/** What the page as a whole speaks: elements that say nothing of a language follow it. */
let page: Language = 'en';
export const pageLanguage = (): Language => page;

/** The language of the element that is being drawn, or that was touched last. */
export const language = (): Language => spokenNow() as Language;
export const direction = (): 'rtl' | 'ltr' => directionOf(language());
export const directionOf = (code: Language): 'rtl' | 'ltr' => (languages[code].rightToLeft ? 'rtl' : 'ltr');

export { arrow, isolated, mixed } from './order.ts';

// Where a language's words did not load: everything stays English, and is marked as English.
const none: EngineWords = { mechanisms: {}, phrases: {} };
/** The words for what the engine says, or undefined where its own are spoken. */
export const engineWords = (code: Language = language()): EngineWords | undefined =>
  engine.get(code) ?? (code === 'en' ? undefined : none);

/** A word as it stands inside a sentence: German nouns stay large. */
export const inside = (word: string): string => (language() === 'de' ? word : word.toLowerCase());

/** Says 'change' when the page speaks another language. */
export const spoken = new EventTarget();

/** The first of these that there is a catalogue for. */
export function known(...wanted: (string | undefined | null)[]): Language | undefined {
  for (const one of wanted) {
    const code = one?.toLowerCase().split('-')[0];
    if (code && Object.hasOwn(languages, code)) return code as Language;
  }
  return undefined;
}

// Words that do not load are asked for again with the next change of language; until then English takes their place.
const orEnglish = <T>(words: Promise<T> | undefined): Promise<T | undefined> =>
  words?.catch(() => undefined) ?? Promise.resolve(undefined);

/** Fetches the words of a language that are not here. Says whether the page can speak it. */
export async function ready(code: Language): Promise<boolean> {
  const { load, engine: fetched } = languages[code];
  const [words, more] = await whilePending(Promise.all([
    isKnown(code) ? undefined : orEnglish(load?.()), engine.has(code) ? undefined : orEnglish(fetched?.())]));
  if (more) engine.set(code, more);
  if (words) learn(code, words as Tree);
  return isKnown(code);
}

/** The page as a whole speaks this language; without its words it keeps the one that it has. */
export async function speak(code: Language): Promise<void> {
  if (code === page) return;
  if (!await ready(code)) return;
  page = code;
  turnTo(code);
  spoken.dispatchEvent(new Event('change'));
}

const KEY = 'attention-playground.language';

export function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function keep(code: Language): void {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
