// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

// KaTeX's rules as text for shadow roots, without its @font-face: fonts only work when the
// document itself declares them, and src/styles/fonts.ts does that (woff2 only).
export function katexStyles(): Plugin {
  const name = 'virtual:katex-styles';
  return {
    name: 'katex-styles',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const file = createRequire(import.meta.url).resolve('katex/dist/katex.min.css');
      const text = readFileSync(file, 'utf8').replace(/@font-face\{[^}]*\}/g, '');
      return `export default ${JSON.stringify(text)};`;
    },
  };
}
