// SPDX-License-Identifier: Apache-2.0
// Text of a saved figure that looks the same where nobody has the page's font.

/** Letters as paths, in thousandths of the text's size. */
export type Outlines = Record<string, string>;

export interface Face {
  weight: '400' | '600';
  /** A WOFF2 file in base64. */
  file: string;
}

export interface Lettering {
  /** How wide a text is in the page's font. */
  widthOf(text: string, size: number, bold: boolean): number;
  /** By weight; without them text stays text. */
  outlines?: Readonly<Record<Face['weight'], Outlines>>;
  /** The font's own letters of English, for browsers; other programs use none that is in a file. */
  faces?: readonly Face[];
}

export const weightOf = (bold: boolean | undefined): Face['weight'] => (bold ? '600' : '400');

/** Whether all of a text can be drawn. A space has no outline, but a path of its own, which is empty. */
export const isDrawn = (text: string, outlines: Outlines | undefined): outlines is Outlines =>
  outlines !== undefined && [...text].every((letter) => outlines[letter] !== undefined);
