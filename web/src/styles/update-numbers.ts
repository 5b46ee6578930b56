// SPDX-License-Identifier: Apache-2.0
const NUMBER = /\d+(?:\.\d+)?/g;
const numbersOf = (latex: string): string[] => latex.match(NUMBER) ?? [];

/**
 * Writes a drawn formula's new numbers over the old ones, where nothing else has changed and each can be
 * told from the others. That is a slider's every move, and far quicker than to draw it anew.
 */
export function retype(into: HTMLElement, before: string, latex: string): boolean {
  if (before.replace(NUMBER, '0') !== latex.replace(NUMBER, '0')) return false;
  const now = numbersOf(latex);
  const changes = new Map<string, { to: string; times: number }>();
  for (const [k, old] of numbersOf(before).entries()) {
    const known = changes.get(old) ?? { to: now[k]!, times: 0 };
    if (known.to !== now[k]) return false;
    changes.set(old, { ...known, times: known.times + 1 });
  }
  const found: [Text, string][] = [];
  for (const part of ['.katex-mathml', '.katex-html']) {
    const left = new Map([...changes].filter(([old, { to }]) => old !== to).map(([old, { times }]) => [old, times]));
    const root = into.querySelector(part);
    const walk = root && document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk?.nextNode()) {
      const text = walk.currentNode as Text;
      if (text.parentElement?.localName === 'annotation') continue;
      const written = text.data.replace(NUMBER, (old) => {
        if (left.has(old)) left.set(old, left.get(old)! - 1);
        return changes.get(old)?.to ?? old;
      });
      if (written !== text.data) found.push([text, written]);
    }
    if ([...left.values()].some((times) => times !== 0)) return false;
  }
  for (const [text, to] of found) text.data = to;
  const source = into.querySelector('annotation');
  if (source) source.textContent = latex;
  return true;
}
