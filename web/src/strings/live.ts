// SPDX-License-Identifier: Apache-2.0
// One face over the words of all languages: whoever reads it gets those of the element that is being drawn. So two
// elements on one
// page may speak two languages, and whatever part of the words somebody holds on to changes with them.

import { Message, tell } from './message.ts';

export type Tree = { [key: string]: unknown };
export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const trees = new Map<string, Tree>();
let now = 'en';

export const spokenNow = (): string => now;
export const isKnown = (language: string): boolean => trees.has(language);

/** What a language's words become: with another language comes gaps.ts, which fills and marks what they lack. */
export const filled = { by: (words: Tree, _english: Tree): Tree => words };

/** The words of a language, from here on. */
export function learn(language: string, words: Tree): void {
  trees.set(language, filled.by(words, trees.get('en')!));
}

/** What is drawn or answered from here on speaks this language. */
export function turnTo(language: string): void {
  if (trees.has(language)) now = language;
}

/** Does this in a language; without one, in that which is spoken anyway. */
export function speaking<Answer>(language: string | undefined, work: () => Answer): Answer {
  if (language === undefined || language === now) return work();
  const before = now;
  turnTo(language);
  try {
    return work();
  } finally {
    now = before;
  }
}

function inside(tree: unknown, path: readonly string[]): Tree {
  for (const key of path) tree = isTree(tree) ? tree[key] : undefined;
  return isTree(tree) ? tree : {};
}
const at = (path: readonly string[]): Tree => inside(trees.get(now), path);
const inEnglish = (path: readonly string[]): Tree => inside(trees.get('en'), path);

/**
 * A sentence as a function: what English takes from its caller is filled into the text of the language that is spoken
 * then.
 */
function sentence(path: readonly string[], key: string, english: Message<readonly unknown[]>) {
  return (...given: unknown[]): string => {
    const text = at(path)[key];
    return tell(now, typeof text === 'string' ? text : english.text, english.take(...given));
  };
}

/** What reads as the words at this path, in whatever language is spoken when it is read. */
function face(path: readonly string[]): object {
  const inner = new Map<string, object>();
  const held = (key: string, made: () => object): object => {
    let found = inner.get(key);
    if (!found) inner.set(key, (found = made()));
    return found;
  };
  const read = (key: string): unknown => {
    const english = inEnglish(path)[key];
    if (english instanceof Message) return held(key, () => sentence(path, key, english));
    // A word that the language does not have stays English.
    const value = at(path)[key] ?? english;
    return isTree(value) ? held(key, () => face([...path, key])) : value;
  };
  const all = (): Tree => ({ ...inEnglish(path), ...at(path) });
  return new Proxy({}, {
    get: (_, key) => (typeof key === 'string' ? read(key) : undefined),
    has: (_, key) => key in all(),
    ownKeys: () => Object.keys(all()),
    getOwnPropertyDescriptor: (_, key) => (typeof key === 'string' && Object.hasOwn(all(), key)
      ? { value: read(key), enumerable: true, configurable: true } : undefined),
  });
}

/** The words of the page, English to begin with. */
export function live(english: Tree): unknown {
  trees.set('en', english);
  return face([]);
}
