// SPDX-License-Identifier: Apache-2.0
// Long quotients with room to break.
import { braced, glyphsIn } from '../directory/glyphs.ts';

/** So many letters of a fraction have room in a line of the card. */
const LINE = 44;
const FRACTION = String.raw`\frac`;

/** A fraction that is wider than its line as a quotient in brackets, which can be broken into lines. */
export function breakable(latex: string): string {
  const above = latex.startsWith(FRACTION) ? braced(latex, FRACTION.length) : undefined;
  const below = above && braced(latex, above[1]);
  if (!above || below?.[1] !== latex.length || Math.max(glyphsIn(above[0]), glyphsIn(below[0])) <= LINE) return latex;
  // Fractions in it are as small as they were, so that lines do not meet.
  const [top, bottom] = [above[0], below[0]].map((part) => part.replaceAll(FRACTION, String.raw`\tfrac`));
  return `(${top!}) \\,/\\, (${bottom!})`;
}
