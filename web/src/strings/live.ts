// SPDX-License-Identifier: Apache-2.0
// One face over the words of all languages: whoever reads it gets those of the element that is being drawn. So two elements on one
// page may speak two languages, and whatever part of the words somebody holds on to changes with them.

export type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const trees = new Map<string, Tree>();
let now = 'en';

export const spokenNow = (): string => now;
export const isKnown = (language: string): boolean => trees.has(language);

/** The words of a language, from here on. */
export function learn(language: string, words: Tree): void {
  trees.set(language, words);
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

function at(path: readonly string[]): Tree {
  let tree: unknown = trees.get(now);
  for (const key of path) tree = isTree(tree) ? tree[key] : undefined;
  return isTree(tree) ? tree : {};
}

/** What reads as the words at this path, in whatever language is spoken when it is read. */
function face(path: readonly string[]): object {
  const inner = new Map<string, object>();
  const read = (key: string): unknown => {
    const value = at(path)[key];
    if (!isTree(value)) return value;
    if (!inner.has(key)) inner.set(key, face([...path, key]));
    return inner.get(key);
  };
  return new Proxy({}, {
    get: (_, key) => (typeof key === 'string' ? read(key) : undefined),
    has: (_, key) => typeof key === 'string' && key in at(path),
    ownKeys: () => Object.keys(at(path)),
    getOwnPropertyDescriptor: (_, key) => (typeof key === 'string' && Object.hasOwn(at(path), key) ? { value: read(key), enumerable: true, configurable: true } : undefined),
  });
}

/** The words of the page, English to begin with. */
export function live(english: Tree): unknown {
  trees.set('en', english);
  return face([]);
}
