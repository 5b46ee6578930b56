// SPDX-License-Identifier: Apache-2.0
// Those that the first picture needs; the rest is declared with KaTeX.
const first = import.meta.glob([
  '/node_modules/katex/dist/fonts/KaTeX_{Main-Regular,Math-Italic}.woff2',
  '/node_modules/katex/dist/fonts/KaTeX_{Size1,Size2,Size3,Size4}-Regular.woff2',
], {
  query: '?url',
  import: 'default',
  eager: true,
}) as Record<string, string>;

const declared = new Set<string>();

/** Declares fonts of formulas; a browser fetches one when a formula first needs it. */
export function declareMathFonts(files = first): void {
  // The file names say the face: KaTeX_Main-BoldItalic.woff2.
  for (const [path, url] of Object.entries(files)) {
    const [, family, face] = /(KaTeX_\w+)-(\w+)\.woff2$/.exec(path) ?? [];
    if (!family || !face || declared.has(path)) continue;
    declared.add(path);
    document.fonts.add(
      new FontFace(family, `url(${url}) format("woff2")`, {
        weight: face.includes('Bold') ? '700' : '400',
        style: face.includes('Italic') ? 'italic' : 'normal',
        display: 'block',
      }),
    );
  }
}
