// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Blob as FontBytes, Buffer as Text, Face, Font, shape } from 'harfbuzzjs';
import subset from 'subset-font';
import type { Plugin } from 'vite';
import type { Outlines } from '../src/elements/lettering.ts';
import { BASIC, LATIN, pointsOf, SLANTED } from '../src/styles/ranges.ts';

const FACES = ['400-normal', '400-italic', '600-normal'];
// Pairs of letters, accents, and digits of one width: what the page's styles ask for.
const FEATURES = ['kern', 'mark', 'mkmk', 'ccmp', 'tnum'];
// The types are behind the library, which knows `keepFeatures`.
const OPTIONS = { targetFormat: 'woff2', keepFeatures: FEATURES } as Parameters<typeof subset>[2];
const out = fileURLToPath(new URL('../../build/basic-fonts/', import.meta.url));

// The letters as paths for saved figures, in thousandths of the text's size, downwards as SVG counts.
async function outlinesOf(whole: Buffer): Promise<Outlines> {
  const points = pointsOf(LATIN);
  const file = await subset(whole, String.fromCodePoint(...points), { targetFormat: 'truetype' });
  const font = new Font(new Face(new FontBytes(Uint8Array.from(file).buffer)));
  const found: Outlines = {};
  for (const point of points) {
    const letter = String.fromCodePoint(point), text = new Text();
    text.addText(letter);
    text.guessSegmentProperties();
    shape(font, text);
    const [glyph] = text.getGlyphInfos();
    if (!glyph || glyph.codepoint === 0) continue;
    // Each number of a path is followed by its other half, which is the height.
    found[letter] = font.glyphToPath(glyph.codepoint)
      .replace(/(-?[\d.]+),(-?[\d.]+)/g, (_all, x: string, y: string) => `${x},${-Number(y)}`);
  }
  return found;
}

/** The letters of English, cut from each face: half the bytes; the whole face follows when another letter is shown. */
export function basicFonts(): Plugin {
  return {
    name: 'basic-fonts',
    async config() {
      const { resolve } = createRequire(import.meta.url);
      mkdirSync(out, { recursive: true });
      const outlines: Record<string, Outlines> = {};
      for (const face of FACES) {
        const whole = readFileSync(resolve(`@fontsource/source-sans-3/files/source-sans-3-latin-${face}.woff2`));
        const text = String.fromCodePoint(...pointsOf(face.endsWith('italic') ? SLANTED : BASIC));
        writeFileSync(`${out}source-sans-3-basic-${face}.woff2`, await subset(whole, text, OPTIONS));
        const [weight, style] = face.split('-') as [string, string];
        if (style === 'normal') outlines[weight] = await outlinesOf(whole);
      }
      writeFileSync(`${out}outlines.json`, JSON.stringify(outlines));
      return { resolve: { alias: { 'basic-fonts': out } } };
    },
  };
}
