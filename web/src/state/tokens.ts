// SPDX-License-Identifier: Apache-2.0

/** Words and single marks: "it slept." becomes it, slept, full stop. */
export function tokenise(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_'’-]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];
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
