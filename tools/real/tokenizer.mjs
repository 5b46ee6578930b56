// SPDX-License-Identifier: Apache-2.0
// The package's pieces as a tokenizer.json: Unigram, NFKC, "▁" for a space and in front.

/** An unknown character costs as much as the model's own reader says. */
export const UNKNOWN = -20;

export function tokenizerOf(pieces) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
    post_processor: null,
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
    model: { type: 'Unigram', unk_id: 0, vocab: pieces, byte_fallback: false },
  };
}

/** The best pieces of a text, by dynamic programming: what the tests compare the page's tokenizer with. */
export function piecesOf(pieces, text) {
  const scores = new Map(pieces.map(([piece, score], id) => [piece, { score, id }]));
  // The first six are marks of the model's own, and never the pieces of a text.
  for (const [piece] of pieces.slice(0, 6)) scores.delete(piece);
  const marks = [...`▁${text.normalize('NFKC').trim().replace(/\s+/g, '▁')}`];
  const best = [{ score: 0 }];
  for (let end = 1; end <= marks.length; end++) {
    let found = { score: -Infinity };
    for (let start = Math.max(0, end - 24); start < end; start++) {
      const piece = marks.slice(start, end).join('');
      const known = scores.get(piece);
      if (!known && end - start > 1) continue;
      const score = best[start].score + (known?.score ?? UNKNOWN);
      if (score > found.score) found = { score, start, piece, id: known?.id ?? 0 };
    }
    best.push(found);
  }
  const path = [];
  for (let at = marks.length; at > 0; at = best[at].start) path.unshift({ piece: best[at].piece, id: best[at].id });
  // Unknown characters in a row are one unknown piece, as in the model's own reader.
  return path.reduce((pieces, one) => {
    const last = pieces.at(-1);
    if (last && last.id === 0 && one.id === 0) last.piece += one.piece;
    else pieces.push({ ...one });
    return pieces;
  }, []);
}
