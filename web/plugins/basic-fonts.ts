// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subset from 'subset-font';
import type { Plugin } from 'vite';
import { BASIC, pointsOf, SLANTED } from '../src/styles/ranges.ts';

const FACES = ['400-normal', '400-italic', '600-normal'];
// Pairs of letters, accents, and digits of one width: what the page's styles ask for.
const FEATURES = ['kern', 'mark', 'mkmk', 'ccmp', 'tnum'];
// The types are behind the library, which knows `keepFeatures`.
const OPTIONS = { targetFormat: 'woff2', keepFeatures: FEATURES } as Parameters<typeof subset>[2];
const out = fileURLToPath(new URL('../../build/basic-fonts/', import.meta.url));

/** The letters of English, cut from each face: half the bytes; the whole face follows when another letter is shown. */
export function basicFonts(): Plugin {
  return {
    name: 'basic-fonts',
    async config() {
      const { resolve } = createRequire(import.meta.url);
      mkdirSync(out, { recursive: true });
      for (const face of FACES) {
        const whole = readFileSync(resolve(`@fontsource/source-sans-3/files/source-sans-3-latin-${face}.woff2`));
        const text = String.fromCodePoint(...pointsOf(face.endsWith('italic') ? SLANTED : BASIC));
        writeFileSync(`${out}source-sans-3-basic-${face}.woff2`, await subset(whole, text, OPTIONS));
      }
      return { resolve: { alias: { 'basic-fonts': out } } };
    },
  };
}
