// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding as GPT-2 has it (Sennrich et al. 2016; a text is cut before words, and bytes are the letters).

/** Where a text is cut before pieces are merged: the expression of the tokenizer format "ByteLevel". */
export const CUTS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

// Bytes that print as they are stand for themselves, the others for letters from 256 on.
const prints = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;

/** The letters that stand for the 256 bytes. */
export const LETTERS = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : next++));
})();

export const lettersOf = (word) => [...new TextEncoder().encode(word)].map((byte) => LETTERS[byte]);

const pairsOf = (pieces) => pieces.slice(1).map((piece, k) => `${pieces[k]} ${piece}`);

function merged(pieces, one, other) {
  const all = [];
  for (let k = 0; k < pieces.length; k++) {
    if (pieces[k] === one && pieces[k + 1] === other) all.push(one + pieces[++k]);
    else all.push(pieces[k]);
  }
  return all;
}

/** The `count` merges that a text asks for, most frequent first; of equal ones the first by its letters. */
export function learnMerges(text, count) {
  const times = new Map();
  for (const [word] of text.matchAll(CUTS)) times.set(word, (times.get(word) ?? 0) + 1);
  const words = [...times].map(([word, often]) => ({ often, pieces: lettersOf(word) }));
  const pairs = new Map(), where = new Map();
  const addPairs = (k, sign) => {
    for (const pair of pairsOf(words[k].pieces)) {
      pairs.set(pair, (pairs.get(pair) ?? 0) + sign * words[k].often);
      if (sign > 0) (where.get(pair) ?? where.set(pair, new Set()).get(pair)).add(k);
    }
  };
  words.forEach((_, k) => addPairs(k, 1));
  const merges = [];
  while (merges.length < count) {
    let best, most = 0;
    for (const [pair, often] of pairs)
      if (often > most || (often === most && pair < best)) [best, most] = [pair, often];
    if (most < 2) throw new Error(`the text has only ${merges.length} pairs that come twice`);
    merges.push(best);
    const [one, other] = best.split(' ');
    for (const k of where.get(best)) {
      addPairs(k, -1);
      words[k].pieces = merged(words[k].pieces, one, other);
      addPairs(k, 1);
    }
    pairs.delete(best);
  }
  return merges;
}

/** Cuts texts into pieces by these merges. */
export function splitter(merges) {
  const rank = new Map(merges.map((pair, k) => [pair, k]));
  const known = new Map();
  const split = (word) => {
    let pieces = lettersOf(word);
    for (;;) {
      const best = pairsOf(pieces).filter((pair) => rank.has(pair)).toSorted((a, b) => rank.get(a) - rank.get(b))[0];
      if (best === undefined) return pieces;
      pieces = merged(pieces, ...best.split(' '));
    }
  };
  return (text) => [...text.matchAll(CUTS)].flatMap(([word]) => {
    if (!known.has(word)) known.set(word, split(word));
    return known.get(word);
  });
}

/** The three words that every vocabulary of a document begins with. */
export const RESERVED = ['<start>', '<end>', '<unknown>'];

export const vocabularyOf = (merges) => [...RESERVED, ...LETTERS, ...merges.map((pair) => pair.replace(' ', ''))];

/** The same as a file tokenizer.json. */
export const tokenizerOf = (merges) => ({
  version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null, decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null,
    fuse_unk: false, vocab: Object.fromEntries(vocabularyOf(merges).map((piece, id) => [piece, id])), merges },
});
