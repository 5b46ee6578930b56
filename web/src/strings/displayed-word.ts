// SPDX-License-Identifier: Apache-2.0
// The one writing of a word or a token, wherever it is shown: beside inputs, along maps, in tables, among next words.

const LONGEST = 200;

/** A whole book that is one word in a link would keep the browser busy for seconds. */
export function shortened(word: string): string {
  return word.length > LONGEST ? `${word.slice(0, LONGEST - 1)}…` : word;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const hex = (character: string, digits: number): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(digits, '0');
// Control characters and white space other than a space have no picture: programs write them like this.
const escaped = (character: string): string =>
  ESCAPES[character] ?? (character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`);
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
// Marks of width or direction mean something inside a word or an emoji; a token of nothing else would be invisible.
const INVISIBLE = /^[\p{Cf}\p{Zs}\ufe00-\ufe0f]+$/u;

// Almost every word: pictures ask for hundreds of names at each move of a slider.
const PLAIN = /^[!-~\p{L}\p{N}]+$/u;
const isPlain = (word: string): boolean => word.length <= LONGEST && PLAIN.test(word);

/** A token as it is shown: with its first spaces, and with escapes for what has no picture. */
export function shownWord(word: string): string {
  if (isPlain(word)) return word;
  const text = shortened(word).replace(/^ +/, (spaces) => '␣'.repeat(spaces.length)).replace(CONTROL, escaped);
  return INVISIBLE.test(text) ? text.replace(/[^ ]/gu, escaped) : text;
}

/** The mark of SentencePiece as the space that it stands for, which other tokenizers write themselves. */
export const withSpaces = (piece: string): string => piece.replaceAll('▁', ' ');

/** A piece of the sentence encoder as it is drawn, without the mark of a new word; other labels are as they are. */
export const shownPiece = (piece: string): string => (isPlain(piece) ? piece
  : shownWord(piece === '' ? '' : piece.replaceAll('▁', '').trim() === '' ? '␣' : piece.replaceAll('▁', '')));

/** So many tokens are read as a text. */
const MOST = 60;

/** Tokens as a text: those that begin with a space say where words begin; without such tokens, each is a word. */
export function textOf(labels: readonly string[]): string {
  const shown = labels.slice(0, MOST).map((label) => shownWord(label));
  const spaced = shown.some((label) => label.startsWith('␣'));
  const text = spaced ? shown.map((label) => label.replace(/^␣/, ' ')).join('') : shown.join(' ');
  return `${text.trim()}${labels.length > MOST ? ' …' : ''}`;
}
