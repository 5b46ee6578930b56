// SPDX-License-Identifier: Apache-2.0

const LONGEST = 200;

/** A word as it is drawn: a whole book that stands as one word in a link would keep the browser busy for seconds. */
export function shownWord(word: string): string {
  return word.length > LONGEST ? `${word.slice(0, LONGEST - 1)}…` : word;
}
