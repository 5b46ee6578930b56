// SPDX-License-Identifier: Apache-2.0
// How wide a formula is, before it is drawn.

/** The part in braces that begins here, and where it ends. */
export function braced(latex: string, from: number): [inside: string, end: number] | undefined {
  if (latex[from] !== '{') return undefined;
  let depth = 0;
  for (let at = from; at < latex.length; at++) {
    if (latex[at] === '{') depth++;
    else if (latex[at] === '}' && --depth === 0) return [latex.slice(from + 1, at), at + 1];
  }
  return undefined;
}

const plainGlyphs = (latex: string): number =>
  latex.replace(/\\[a-zA-Z]+|\\.|[{}^_\s]/g, (part) => (/cdot|sum/.test(part) ? 'x' : '')).length;

/** About how many letters are drawn beside each other: a fraction is as wide as the wider of its two parts. */
export function glyphsIn(latex: string): number {
  const fraction = /\\[td]?frac(?=\{)/.exec(latex);
  const above = fraction && braced(latex, fraction.index + fraction[0].length);
  const below = above && braced(latex, above[1]);
  return !fraction || !below ? plainGlyphs(latex)
    : plainGlyphs(latex.slice(0, fraction.index)) + Math.max(glyphsIn(above[0]), glyphsIn(below[0]))
      + glyphsIn(latex.slice(below[1]));
}
