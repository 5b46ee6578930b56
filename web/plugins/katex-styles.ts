// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import type { Drawn } from '../src/styles/rendered-formula.ts';

// KaTeX's rules as text for shadow roots, without its @font-face: fonts only work when the document itself
// declares them, and src/styles/formula-fonts.ts does that (woff2 only).
function rules(): string {
  const file = createRequire(import.meta.url).resolve('katex/dist/katex.min.css');
  return readFileSync(file, 'utf8').replace(/@font-face\{[^}]*\}/g, '');
}

export function katexStyles(): Plugin {
  const name = 'virtual:katex-styles';
  return {
    name: 'katex-styles',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(rules())};` : undefined),
  };
}

function classesOf(drawn: Drawn, found: Set<string>): void {
  if (typeof drawn === 'string') return;
  const [, attributes, ...inside] = drawn;
  for (const name of (attributes['class'] ?? '').split(/\s+/)) found.add(name);
  for (const child of inside) classesOf(child, found);
}

/** Those of KaTeX's rules that say something about these formulas. */
export function stylesOf(formulas: Iterable<Drawn>): string {
  const classes = new Set<string>();
  for (const drawn of formulas) classesOf(drawn, classes);
  const fits = (selector: string) => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name]) => classes.has(name!));
  return rules().replace(/([^{}]+)(\{[^{}]*\})/g, (_rule, selectors: string, body: string) => {
    const wanted = selectors.split(',').filter(fits);
    return wanted.length > 0 ? wanted.join(',') + body : '';
  });
}
