// SPDX-License-Identifier: Apache-2.0
import regular from '@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff2?url';
import italic from '@fontsource/source-sans-3/files/source-sans-3-latin-400-italic.woff2?url';
import semibold from '@fontsource/source-sans-3/files/source-sans-3-latin-600-normal.woff2?url';

const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212';

let declared = false;

/** Fonts are declared on the document, since shadow roots cannot, and fetched when first used. */
export function declareFonts(): void {
  if (declared) return;
  declared = true;
  const faces: [string, FontFaceDescriptors][] = [
    [regular, { weight: '400' }],
    [italic, { weight: '400', style: 'italic' }],
    [semibold, { weight: '600' }],
  ];
  for (const [url, rest] of faces) {
    document.fonts.add(
      new FontFace('Source Sans 3', `url(${url}) format("woff2")`, {
        ...rest,
        display: 'swap',
        unicodeRange: latin,
      }),
    );
  }
}
