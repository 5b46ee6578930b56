// SPDX-License-Identifier: Apache-2.0
import basicItalic from 'basic-fonts/source-sans-3-basic-400-italic.woff2?url';
import basicRegular from 'basic-fonts/source-sans-3-basic-400-normal.woff2?url';
import basicSemibold from 'basic-fonts/source-sans-3-basic-600-normal.woff2?url';
import italic from '@fontsource/source-sans-3/files/source-sans-3-latin-400-italic.woff2?url';
import regular from '@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff2?url';
import semibold from '@fontsource/source-sans-3/files/source-sans-3-latin-600-normal.woff2?url';
import { BASIC, others, SLANTED } from './ranges.ts';

let declared = false;

/** Fonts are declared on the document, since shadow roots cannot, and fetched when first used. */
export function declareFonts(): void {
  if (declared) return;
  declared = true;
  const faces: [string, string, string, FontFaceDescriptors][] = [
    [basicRegular, regular, BASIC, { weight: '400' }],
    [basicItalic, italic, SLANTED, { weight: '400', style: 'italic' }],
    [basicSemibold, semibold, BASIC, { weight: '600' }],
  ];
  const declare = (url: string, unicodeRange: string, face: FontFaceDescriptors) =>
    document.fonts.add(new FontFace('Source Sans 3', `url(${url}) format("woff2")`,
      { ...face, display: 'swap', unicodeRange }));
  for (const [basic, whole, letters, face] of faces) {
    declare(basic, letters, face);
    declare(whole, others(letters), face);
  }
}
