// SPDX-License-Identifier: Apache-2.0

// Begins with what a word is made of.
const OF_A_WORD = /^[\p{L}\p{M}\p{N}_'’-]/u;

// What a reader takes for one sign, whatever number of characters it is made of: a flag, a family, a letter with marks.
const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Words and single marks: "it slept." becomes it, slept, full stop. Half a character becomes U+FFFD. */
export function tokenise(text: string): string[] {
  const words: string[] = [];
  let open = false;
  for (const { segment } of signs.segment(text.replace(/\p{Surrogate}/gu, '\uFFFD'))) {
    const word = OF_A_WORD.test(segment);
    if (word && open) words[words.length - 1] += segment;
    else if (segment.trim() !== '') words.push(segment);
    open = word;
  }
  return words;
}

/** How words become numbers unless somebody chose otherwise: pre-trained vectors, as wide as the small file of them. */
export const NATURAL = { type: 'words', dim: 24 };
/** The widest that there are. */
export const WIDEST_WORDS = 50;

export function sentence(tokens: readonly string[]): string {
  return tokens.join(' ');
}

/** A new seed from the old one: always the same next draw, so that undo and tests can rely on it. */
export function nextSeed(seed: number): number {
  return (Math.imul(Math.trunc(seed) | 0, 7621) + 3937) & 0x7fff;
}
