// SPDX-License-Identifier: Apache-2.0

const LONGEST = 200;

/** A word as it is drawn: a whole book that stands as one word in a link would keep the browser busy for seconds. */
export function shownWord(word: string): string {
  return word.length > LONGEST ? `${word.slice(0, LONGEST - 1)}…` : word;
}

/** A piece of a word as it is drawn, without the mark that a space is before it; other labels are as they are. */
export const shownPiece = (piece: string): string =>
  (piece === '' ? '' : piece.replaceAll('▁', '').trim() === '' ? '␣' : piece.replaceAll('▁', ''));
