// SPDX-License-Identifier: Apache-2.0
// Formulas of the engine as a reader needs them: without what only keeps a division from 0 / 0, and with room to break.

// "x, or 1 where x is 0": what a sum is divided by, where it may be 0. The innermost has no other in it.
const GUARD = new RegExp(String.raw`\\begin\{cases\}1 & \\text\{if \} \[\\,((?:(?!\\begin\{cases\}).)+?) = 0\\,\]\\\\ `
  + String.raw`\1 & \\text\{otherwise\}\\end\{cases\}`, 'g');

/** Divides by a sum without the words for the case that it is 0, in which all that is divided is 0, too. */
export function withoutGuards(latex: string): string {
  let [before, now] = ['', latex];
  while (now !== before) [before, now] = [now, now.replace(GUARD, (_all, sum: string) => sum)];
  return now;
}

/** About how many letters are drawn. */
export const glyphsIn = (latex: string): number =>
  latex.replace(/\\[a-zA-Z]+|\\.|[{}^_\s]/g, (part) => (/frac|cdot|sum/.test(part) ? 'x' : '')).length;

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
