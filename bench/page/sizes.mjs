// SPDX-License-Identifier: Apache-2.0
// A mechanism's example with as many rows as wanted.

// The example's own numbers, over and over: what they mean (masks, places, classes) stays true.
function stretched({ data, shape, labels, ...rest }, extents) {
  const count = extents.reduce((product, extent) => product * extent, 1);
  const width = shape.at(-1);
  const rows = data.length / width;
  const wide = extents.at(-1);
  const numbers = Array.from({ length: count },
    (_, at) => data[(Math.floor(at / wide) % rows) * width + (at % wide) % width]);
  return { ...rest, data: numbers, shape: extents };
}

const repeated = (list, n) => Array.from({ length: n }, (_, i) => list[i % list.length]);

// What a mechanism is told of the rows: a map of pairs, a number a row, the tree above them.
function knobs(value, n) {
  if (Array.isArray(value) && Array.isArray(value[0]))
    return repeated(value, value.length === 1 ? 1 : n).map((row) => repeated(row, n));
  if (Array.isArray(value)) return value.map((part) => knobs(part, n));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => {
    if (name === 'parents') return [name, Array.from({ length: n }, (_, i) => (i === 0 ? -1 : (i - 1) >> 1))];
    return [name, knobs(part, n)];
  }));
}

/**
 * The ways to have n rows, the simplest first: every input's first extent is n; then also the other extents that
 * are rows of some input (a map of pairs); pictures, whose first two extents make n together; inputs of one row,
 * which stay so; a score with a stated greatest length. The first that the engine takes is the right one.
 */
export function withRows(document, n) {
  const inputs = Object.entries(document.inputs);
  const rows = new Set(inputs.map(([, { shape }]) => shape[0]));
  const side = Math.round(Math.sqrt(n));
  const first = (shape) => [n, ...shape.slice(1)];
  const ways = [
    first,
    (shape) => [n, ...shape.slice(1).map((extent) => (rows.has(extent) ? n : extent))],
    (shape) => (shape.length === 3 ? [side, side, shape[2]] : first(shape)),
    (shape) => (shape.length === 3 ? [shape[0], n, shape[2]] : first(shape)),
    (shape) => (shape[0] === 1 ? shape : first(shape)),
    (shape) => (shape[0] === 1 ? shape : [side, side, ...shape.slice(2)]),
  ];
  const mechanism = knobs(document.mechanism, n);
  const documents = ways.map((way) =>
    ({ ...document, mechanism, inputs:
    Object.fromEntries(inputs.map(([name, input]) => [name, stretched(input, way(input.shape))])) }));
  if (mechanism.score) documents.push(
    { ...documents[0], mechanism: { ...mechanism, score: { ...mechanism.score, N: n } } });
  return documents;
}
