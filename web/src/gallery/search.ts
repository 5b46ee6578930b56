// SPDX-License-Identifier: Apache-2.0
// How the gallery and Questions search.

// Of several things as of one: "embeddings" are found where there is an embedding.
const has = (text: string, word: string): boolean => text.includes(word)
  || (word.length > 3 && word.endsWith('s') && text.includes(word.slice(0, -1)));

/** Whether a text, in small letters, has every word of the search. */
export const says = (text: string, search: string): boolean =>
  search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => has(text, word));
