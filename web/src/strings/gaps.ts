// SPDX-License-Identifier: Apache-2.0
// What a language does not say stays English: what is drawn of it is marked, so that it is also read aloud as English.
import { Watching } from '../signal-element.ts';
import { filled, isTree, spokenNow, type Tree } from './live.ts';
import { Message } from './message.ts';

// Around a sentence, which is another one for each number in it: it runs from left to right in any language.
const [OPEN, CLOSE] = ['\u2066', '\u2069'];
const words = new Set<string>();
const known = new WeakMap<Tree, WeakMap<Tree, Tree>>();

/** The words of a language, with English ones where it has none. */
function whole(own: Tree, english: Tree): Tree {
  if (own === english) return own;
  const before = known.get(english)?.get(own);
  if (before) return before;
  const inner = new Map<string, Tree>();
  const made = new Proxy(own, { get: (_, key: string) => {
    const [said, instead] = [own[key], english[key]];
    if (instead instanceof Message) return said ?? OPEN + instead.text + CLOSE;
    if (isTree(instead)) {
      const tree = inner.get(key) ?? whole(isTree(said) ? said : {}, instead);
      inner.set(key, tree);
      return tree;
    }
    if (said === undefined && typeof instead === 'string') words.add(instead);
    return said ?? instead;
  } });
  known.set(english, (known.get(english) ?? new WeakMap<Tree, Tree>()).set(own, made));
  return made;
}
filled.by = whole;

const marked = new WeakSet<Element>();

/** Marks the elements below a root whose own text is such words alone. */
export function markGaps(root: ParentNode, language: string): void {
  for (const one of root.querySelectorAll('*')) {
    if (one.hasAttribute('lang') && !marked.has(one)) continue;
    const own = [...one.childNodes].flatMap(({ nodeType, nodeValue }) => (nodeType === 3 && nodeValue!.trim()) || []);
    const isGap = language !== 'en' && own.length > 0
      && own.every((text) => words.has(text) || (text.startsWith(OPEN) && text.endsWith(CLOSE)));
    if (isGap) one.setAttribute('lang', 'en');
    else if (marked.has(one)) one.removeAttribute('lang');
    marked[isGap ? 'add' : 'delete'](one);
  }
}

// Every part of the page, from the next time that it draws itself.
const drawn = Watching.prototype['performUpdate'];
Watching.prototype['performUpdate'] = function performUpdate(this: Watching): void {
  drawn.call(this);
  if (words.size > 0) markGaps(this.renderRoot, spokenNow());
};
