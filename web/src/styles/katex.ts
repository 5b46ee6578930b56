// SPDX-License-Identifier: Apache-2.0
import styles from 'virtual:katex-styles';
import katex from 'katex';
import { declareMathFonts } from './formula-fonts.ts';
import { options } from './katex-options.ts';
import { mending } from './repair-formula.ts';

declareMathFonts(import.meta.glob('/node_modules/katex/dist/fonts/*.woff2',
  { query: '?url', import: 'default', eager: true }) as Record<string, string>);

export { retype } from './update-numbers.ts';
export { styles };

/** Draws a formula. */
export function draw(latex: string, into: HTMLElement, display: boolean): void {
  // KaTeX's own way to show an error is a style attribute, which the page's policy forbids.
  try {
    const tree = mending(latex, (text) =>
      (katex as unknown as { __renderToDomTree(latex: string, options: katex.KatexOptions): Tree })
      .__renderToDomTree(text, options(display)));
    unstyle(tree);
    const node = tree.toNode();
    for (const drawn of node.querySelectorAll<SVGElement>('[data-style]'))
      drawn.style.cssText = drawn.dataset['style'] ?? '';
    into.replaceChildren(node);
  } catch {
    into.textContent = latex;
  }
}

interface Tree {
  children?: Tree[];
  attributes?: Record<string, string>;
  toNode(): Element;
}

// Tall braces are drawings whose style KaTeX writes as an attribute; it is set by the object model instead.
function unstyle({ children, attributes }: Tree): void {
  if (attributes?.['style']) {
    attributes['data-style'] = attributes['style'];
    delete attributes['style'];
  }
  children?.forEach(unstyle);
}
