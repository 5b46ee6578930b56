// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from 'vite';

/** Styles in the page's own code without the spaces that are there for readers. */
export function smallCss(): Plugin {
  return {
    name: 'small-css',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => (/\/web\/src\/.*\.ts$/.test(id) && code.includes('css`')
      ? { code: code.replace(/\bcss`[^`]*`/g, tight), map: null } : undefined),
    // What stands before a line of a template is for readers, too; the lines stay.
    renderChunk: (code, chunk) => (chunk.name === 'element' ? { code: code.replace(/\n[ \t]+/g, '\n'), map: null }
      : undefined),
  };
}

// Spaces around signs that need none; those inside values and selectors stay.
export const tight = (text: string): string =>
  text.replace(/\/\*[^*]*\*\//g, '').replace(/\s+/g, ' ').replace(/ ?([{};,]) ?/g, '$1').replace(/: /g, ':')
    .replace(/;}/g, '}');
