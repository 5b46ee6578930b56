// SPDX-License-Identifier: Apache-2.0
const files = import.meta.glob('/node_modules/katex/dist/fonts/*.woff2', {
  query: '?url',
  import: 'default',
  eager: true,
}) as Record<string, string>;

let declared = false;

/** Declares the fonts of formulas; a browser fetches one when a formula first needs it. */
export function declareMathFonts(): void {
  if (declared) return;
  declared = true;
  // The file names say the face: KaTeX_Main-BoldItalic.woff2.
  for (const [path, url] of Object.entries(files)) {
    const [, family, face] = /(KaTeX_\w+)-(\w+)\.woff2$/.exec(path) ?? [];
    if (!family || !face) continue;
    document.fonts.add(
      new FontFace(family, `url(${url}) format("woff2")`, {
        weight: face.includes('Bold') ? '700' : '400',
        style: face.includes('Italic') ? 'italic' : 'normal',
        display: 'block',
      }),
    );
  }
}
