// SPDX-License-Identifier: Apache-2.0
// Long quotients with room to break.
import { glyphsIn } from '../directory/formulas.ts';

// The part in braces that begins here, and where it ends.
function braced(latex: string, from: number): [inside: string, end: number] | undefined {
  if (latex[from] !== '{') return undefined;
  let depth = 0;
  for (let at = from; at < latex.length; at++) {
    if (latex[at] === '{') depth++;
    else if (latex[at] === '}' && --depth === 0) return [latex.slice(from + 1, at), at + 1];
  }
  return undefined;
}

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
