// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

// What the formulas of the first picture are made of; a class that is missing here is styled once KaTeX is there.
const FIRST = new Set(
  ('katex katex-mathml katex-html katex-display katex-base katex-strut katex-sizing mord mbin mrel mopen mclose mpunct minner mop mtight mspace mfrac frac-line nulldelimiter ' +
    'delimcenter vlist vlist-t vlist-t2 vlist-r vlist-s msupsub pstrut reset-size6 reset-size3 reset-size1 size1 size3 size6 op-symbol small-op mathnormal mathrm text textrm ' +
    'sqrt svg-align hide-tail enclosing').split(' '),
);
const known = (selector: string): boolean => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name]) => FIRST.has(name!));

/**
 * KaTeX's rules as text for shadow roots, without its @font-face: fonts only work when the document itself
 * declares them, and src/styles/formula-fonts.ts does that (woff2 only). `first`: those of the first picture.
 */
export function katexStyles(): Plugin {
  const names = ['virtual:katex-styles', 'virtual:katex-styles/first'];
  return {
    name: 'katex-styles',
    resolveId: (id) => (names.includes(id) ? `\0${id}` : undefined),
    load(id) {
      const name = names.find((one) => id === `\0${one}`);
      if (name === undefined) return undefined;
      const file = createRequire(import.meta.url).resolve('katex/dist/katex.min.css');
      const text = readFileSync(file, 'utf8').replace(/@font-face\{[^}]*\}/g, '');
      return `export default ${JSON.stringify(name === names[0] ? text : first(text))};`;
    },
  };
}

function first(text: string): string {
  return text.replace(/([^{}]+)(\{[^{}]*\})/g, (_rule, selectors: string, body: string) => {
    const wanted = selectors.split(',').filter(known);
    return wanted.length > 0 ? wanted.join(',') + body : '';
  });
}
