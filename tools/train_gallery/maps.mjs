// SPDX-License-Identifier: Apache-2.0
// What the attention maps of a trained system show: for each map, head and way to read it, how often its largest weight
// is on a position that the task knows to mean the answer.

/** Which examples choose the map, and which ones the page reports. */
export const CHOOSE = 50;
export const REPORT = 250;
/** A row of one query among several is chosen only if no whole map comes this close. */
const CLOSE = 0.02;

/** More learned queries than this are no row each. */
const MOST_QUERIES = 8;

/**
 * How rows of a map answer: all of them where there is one for each word of the answer (`answer`), the only one
 * (`only`), and of a square map under an answer of one word the last row (`last`) or the mean of all rows (`mean`).
 * Where an answer of one word has a few rows of other queries, each of them is one of its own (`row`). Where the task
 * says which words of a second text are compared with which words of the first, each of these has a row (`compared`).
 * Columns may be a memory, which is the task's first text, and behind it the words of the rows.
 */
function readings({ shape, dimensions }, { source, target, asked = [] }, { answers, places, matches }) {
  const [rows, columns] = shape.slice(-2);
  const [row, column] = dimensions.slice(-2);
  // The labels of a memory and the words behind it are a list of their own.
  if (places !== undefined && columns === places + rows) return answers === 1 ? [{ reading: 'last' }] : [];
  if (column.labels !== source && column.labels !== undefined) return [];
  // Of a text, columns are its words or groups of equal size.
  if (places !== undefined && (columns === 1 || places % columns !== 0)) return [];
  if (matches && asked.includes(row.labels)) return [{ reading: 'compared' }];
  if (row.labels === target) return [{ reading: 'answer' }];
  if (rows === 1) return [{ reading: 'only' }];
  if (rows === columns && row.role !== 'class') {
    const square = rows === answers ? ['answer'] : [];
    return (answers === 1 ? ['last', 'mean'] : square).map((reading) => ({ reading }));
  }
  return answers === 1 && row.labels !== source && rows <= MOST_QUERIES
    ? Array.from({ length: rows }, (_, query) => ({ reading: 'row', query })) : [];
}

const isMap = ({ role, shape, dimensions }) =>
  role === 'weights' && shape.length >= 2 && dimensions.at(-1).role === 'key';

/** Weights with a number for each feature count by their mean over the features; other tensors are unchanged. */
function overFeatures(tensor) {
  const { role, shape, dimensions, data } = tensor;
  if (role !== 'weights' || shape.length < 3 || dimensions.at(-1).role !== 'feature'
    || dimensions.at(-2).role !== 'key') return tensor;
  const width = shape.at(-1);
  const means = Float32Array.from({ length: data.length / width }, (_, i) =>
    data.subarray(i * width, (i + 1) * width).reduce((sum, x) => sum + x, 0) / width);
  return { ...tensor, shape: shape.slice(0, -1), dimensions: dimensions.slice(0, -1), data: means, features: true };
}

// Weights of maps without a softmax have signs and any sum: each counts by its share of the row, without its sign.
function sharesOf(weights) {
  const sizes = Array.from(weights, Math.abs);
  const sum = sizes.reduce((total, x) => total + x, 0);
  return sum === 0 ? sizes : sizes.map((x) => x / sum);
}

/** One head's rows, as the reading needs them: [row of the answer, its shares of weight over the source]. */
export function rowsOf({ shape, data }, { head, reading, query }) {
  const [rows, columns] = shape.slice(-2);
  const row = (i) => sharesOf(data.subarray((head * rows + i) * columns, (head * rows + i + 1) * columns));
  if (reading === 'answer' || reading === 'compared') return Array.from({ length: rows }, (_, i) => [i, row(i)]);
  if (reading === 'only') return [[0, row(0)]];
  if (reading === 'row') return [[0, row(query)]];
  if (reading === 'last') return [[0, row(rows - 1)]];
  return [[0, row(0).map((_, c) => Array.from({ length: rows }, (__, r) => row(r)[c])
    .reduce((sum, x) => sum + x, 0) / rows)]];
}

const largest = (row) => row.indexOf(Math.max(...row));

/** Columns of a map over an image are a coarser grid of its proportions: rows and columns of that grid. */
function gridOf([high, wide], places) {
  for (let rows = 1; rows <= high; rows++)
    if (places % rows === 0 && (places / rows) * high === rows * wide) return [rows, places / rows];
  return undefined;
}

/**
 * The columns that are right in row `i`: those that mean this word of the answer, or that this word of the second text
 * is compared with. They are words of a text or their groups, or cells that hold a linked pixel.
 */
export function meaningsOf({ links, matches = [] }, i, columns, { image, places, reading }) {
  const right = reading === 'compared' ? matches : links.filter(([, , kind]) => kind === 'means');
  const found = right.filter(([row]) => row === i).map(([, column]) => column);
  if (!image && columns > places) return found;
  if (!image) return [...new Set(found.map((column) => Math.floor((column * columns) / places)))];
  const grid = gridOf(image, columns);
  if (!grid) return [];
  const place = (pixel) => Math.floor((Math.floor(pixel / image[1]) * grid[0]) / image[0]) * grid[1]
    + Math.floor(((pixel % image[1]) * grid[1]) / image[1]);
  return [...new Set(found.map(place))];
}

/** Of one example: by map, head and reading, how many rows have a meaning and how many find it. */
function hits(tensors, example, fields) {
  const { shape: image, tokens } = example.inputs[fields.source];
  const read = { image, places: tokens?.length };
  const counts = { answers: example.truth.length, places: read.places, matches: example.matches };
  return tensors.map(overFeatures).filter(isMap).flatMap((tensor) => {
    const heads = tensor.shape.slice(0, -2).reduce((product, extent) => product * extent, 1);
    return readings(tensor, fields, counts).flatMap((reading) =>
      Array.from({ length: heads }, (_, head) => {
        const rows = rowsOf(tensor, { head, ...reading })
          .map(([i, row]) => ({ row, means: meaningsOf(example, i, row.length, { ...read, ...reading }) }))
          .filter(({ means }) => means.length > 0);
        return { map: tensor.name, heads, head, ...reading, features: tensor.features, rows: rows.length,
          found: rows.filter(({ row, means }) => means.includes(largest(row))).length };
      }));
  });
}

const keyOf = ({ map, head, reading, query = '' }) => `${map} ${head} ${reading} ${query}`;

/** Adds up what examples say, by map, head and reading. */
export function shares(engine, document, examples, fields) {
  const sums = new Map();
  for (const example of examples) {
    const tensors = engine.run(fields.filled(document, example));
    for (const one of hits(tensors, example, fields)) {
      const sum = sums.get(keyOf(one)) ?? { ...one, rows: 0, found: 0 };
      sum.rows += one.rows;
      sum.found += one.found;
      sums.set(keyOf(one), sum);
    }
  }
  return sums;
}

const share = ({ rows, found }) => (rows === 0 ? 0 : found / rows);

/**
 * The map, head and reading that find the meaning most often in the first examples, and how often they do in the
 * others, trained and untrained: choosing and reporting read different examples, so that the choice flatters nothing.
 */
export function bestMap(engine, trained, untrained, examples, fields) {
  const all = [...shares(engine, trained, examples.slice(0, CHOOSE), fields).values()];
  const most = Math.max(...all.map(({ rows }) => rows));
  // A map that few examples have is none of the system.
  const sorted = all.filter(({ rows }) => rows > most / 2).toSorted((a, b) => share(b) - share(a));
  const chosen = sorted.find((one) => one.reading !== 'row' && share(one) >= share(sorted[0]) - CLOSE) ?? sorted[0];
  if (!chosen) return undefined;
  const others = examples.slice(CHOOSE, CHOOSE + REPORT);
  const key = keyOf(chosen);
  // Only this map is asked for: what does not lead to it need not be computed.
  const only = (document) => ({ ...document, outputs: [chosen.map] });
  const found = shares(engine, only(trained), others, fields).get(key);
  const before = shares(engine, only(untrained), others, fields).get(key);
  const { map, heads, head, reading, query, features } = chosen;
  const more = { ...(query === undefined ? {} : { query }), ...(features ? { features } : {}) };
  return { map, heads, head, reading, ...more, examples: others.length,
    share: share(found), untrained: share(before) };
}

/**
 * On the pinned example: the first row whose word means another position than its own (or else the first that means
 * any), how much weight is on what it means, and where the largest weight is. `words` are those of the source, and of
 * the answer or of the text whose rows are read, and `behind` a memory those of the rows; positions of an image have
 * none.
 */
export function pinnedRow(tensors, told, truth, words, image) {
  const tensor = overFeatures(tensors.find(({ name }) => name === told.map));
  const read = { image, places: words.source?.length, reading: told.reading };
  const word = (row, at) => {
    if (row.length > words.source.length) return [...words.source, ...words.behind][at];
    const size = words.source.length / row.length;
    return words.source.slice(at * size, (at + 1) * size).join(' ');
  };
  const position = (row, at) => ({ at, ...(words.source ? { word: word(row, at) } : {}), weight: row[at] });
  const all = rowsOf(tensor, told).flatMap(([i, row]) => {
    const meant = meaningsOf(truth, i, row.length, read);
    // Of a thing of several cells, the one with the most weight.
    const best = meant.reduce((one, c) => (row[c] > row[one] ? c : one), meant[0]);
    return meant.length === 0 ? [] : [{ row: i, word: words.rows[i], meant: position(row, best),
      most: position(row, largest(row)), right: meant.includes(largest(row)) }];
  });
  return all.find(({ row, meant }) => image || row !== meant.at) ?? all[0];
}
