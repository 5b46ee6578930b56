// SPDX-License-Identifier: Apache-2.0
// What the small language model does on passages that it never learned from, and what each of its heads attends to.
import { RESERVED } from './pieces.mjs';

/** Passages for the heads and for how much is right; a few more would move no share by .01. */
const PASSAGES = 60;
/** Made-up lists of words, each read twice. */
const LISTS = 40;
const IN_LIST = 12;
const CONTINUED = 12;
/** So many words of what it read are told. */
const TOLD = 10;

const argmax = (row) => row.reduce((best, x, k) => (x > row[best] ? k : best), 0);
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length);
const rounded = (x) => Number(x.toFixed(4));

/** Runs the document on these pieces: the maps of all layers, and the likeliest next piece of each row. */
export function reader(engine, document) {
  return (ids) => {
    const all = engine.run({ ...document, inputs: { text: { shape: [ids.length, 1], data: ids } } });
    const maps = all.filter(({ name }) => name.endsWith('attention.weights'));
    const { data, shape } = all.find(({ name, module }) => module === 'predict' && name.endsWith('logits'));
    const wide = shape.at(-1);
    return { maps, next: ids.map((_, row) => argmax(data.subarray(row * wide, (row + 1) * wide))) };
  };
}

/** What a head may attend to: the columns of a row, by the pieces read so far. */
const LOOKS = {
  itself: (ids, row) => [row],
  before: (ids, row) => (row > 0 ? [row - 1] : []),
  first: () => [0],
  same: (ids, row) => ids.flatMap((id, col) => (col < row && id === ids[row] ? [col] : [])),
  after: (ids, row) => ids.flatMap((id, col) => (col > 0 && col < row && ids[col - 1] === ids[row] ? [col] : [])),
};

/**
 * The mean weight of each head on what it may attend to, over the rows that have such columns. The first rows are left
 * out: where there is little to choose from, every head finds everything.
 */
export function headsOf(read, passages) {
  const sums = new Map();
  for (const ids of passages) {
    for (const { name, shape: [heads, rows, cols], data } of read(ids).maps) {
      for (let head = 0; head < heads; head++) {
        for (let row = 8; row < rows; row++) {
          for (const [look, columns] of Object.entries(LOOKS)) {
            const found = columns(ids, row);
            if (found.length === 0) continue;
            const key = `${name} ${head} ${look}`;
            const at = (head * rows + row) * cols;
            sums.set(key, [...(sums.get(key) ?? []), found.reduce((sum, col) => sum + data[at + col], 0)]);
          }
        }
      }
    }
  }
  return [...sums].map(([key, weights]) => {
    const [map, head, look] = key.split(' ');
    return { map, head: Number(head), look, weight: rounded(mean(weights)), rows: weights.length };
  });
}

/** Of every look the head that has most of it. */
export const best = (heads) => Object.keys(LOOKS).map((look) =>
  heads.filter((one) => one.look === look).toSorted((a, b) => b.weight - a.weight)[0]);

/** How often the piece that followed a piece most often in the text is the next one. */
function byPairs(learned, passages) {
  const after = new Map();
  for (let k = 1; k < learned.length; k++) {
    const counts = after.get(learned[k - 1]) ?? after.set(learned[k - 1], new Map()).get(learned[k - 1]);
    counts.set(learned[k], (counts.get(learned[k]) ?? 0) + 1);
  }
  const likeliest = new Map([...after].map(([id, counts]) => [id, [...counts].toSorted((a, b) => b[1] - a[1])[0][0]]));
  return mean(passages.flatMap((ids) => ids.slice(1).map((id, k) => Number(likeliest.get(ids[k]) === id))));
}

/** A list of pieces that nobody wrote, read twice: how much of the second time is right. */
function repeated(read, whole) {
  let seed = 7;
  const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const lists = Array.from({ length: LISTS }, () =>
    Array.from({ length: IN_LIST }, () => whole[Math.floor(draw() * whole.length)]));
  return mean(lists.map((list) => {
    const { next } = read([...list, ...list]);
    return mean(list.slice(1).map((id, k) => Number(next[IN_LIST + k] === id)));
  }));
}

/**
 * @param passages pieces that are held out, one list each
 * @param learned the pieces that were learned from, in their order
 */
export function measured(read, vocabulary, passages, learned) {
  const some = passages.slice(0, PASSAGES);
  const heads = headsOf(read, some);
  // Whole words of some length, so that a list reads as one.
  const whole = vocabulary.flatMap((piece, id) => (id >= RESERVED.length && /^Ġ[a-z]{4,}$/.test(piece) ? [id] : []));
  // It is cut between two words, and no paragraph ends where it goes on.
  const begun = passages.find((ids) => vocabulary[ids.at(-CONTINUED)].startsWith('Ġ')
    && ids.slice(-2 * CONTINUED).every((id) => /^[Ġa-z,]+$/i.test(vocabulary[id])));
  const start = begun.slice(0, begun.length - CONTINUED);
  const own = [...start];
  while (own.length < begun.length) own.push(read(own).next.at(-1));
  const text = (ids) => ids.map((id) => vocabulary[id]).join('').replaceAll('Ġ', ' ').replaceAll('Ċ', '\n').trim();
  return {
    heads: best(heads),
    passages: some.length,
    byPairs: rounded(byPairs(learned, some)),
    right: rounded(mean(some.flatMap((ids) => {
      const { next } = read(ids);
      return ids.slice(1).map((id, k) => Number(next[k] === id));
    }))),
    repeated: rounded(repeated(read, whole)),
    example: { begins: text(start).split(' ').slice(-TOLD).join(' '), goesOn: text(own.slice(start.length)),
      book: text(begun.slice(start.length)) },
  };
}
