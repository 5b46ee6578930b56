// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from 'vite';

// What an escape adds may not cost more than it saves in the download: Arabic text stays as it is.
const MOST_LONGER = 1.25;
const FOREIGN = /[^\u0000-\u007f]/g;
// Such a template keeps its escapes as they are written.
const RAW = /\.raw`[^`]*[^\u0000-\u007f`]/;

const escaped = (code: string): string =>
  code.replace(FOREIGN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same script without a character beyond ASCII, unless it has many of them. */
export function inOneByte(code: string): string {
  const short = escaped(code);
  if (short.length > MOST_LONGER * code.length) return code;
  if (RAW.test(code)) throw new Error('a String.raw template has a character beyond ASCII');
  return short;
}

/**
 * Escapes the characters beyond Latin-1 in scripts. A browser keeps the text of a script as long as the page is open:
 * with one such character it takes two bytes for each letter of the file, without them one.
 */
export function oneByte(): Plugin {
  return {
    name: 'one-byte',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === 'chunk') part.code = inOneByte(part.code);
    },
  };
}
