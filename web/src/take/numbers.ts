// SPDX-License-Identifier: Apache-2.0
import { exact, shortest } from '../colour/numbers.ts';
import { isWeights } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { csvText } from '../files/csv.ts';
import { littleEndian, npyHead, writeNpyText } from '../files/npy.ts';
import { type Row, rowsOf } from '../large/rows.ts';
import { type Piece, plain } from './in-pieces.ts';
import { plainNames } from './plain-names.ts';
import { zipped } from './zip-pieces.ts';

// The longest string of V8 has 2^29 - 24 characters, and a number at most 18 with its comma. A table of more than two
// axes has a line for each number, with a cell for each axis; labels and all else take what is left.
const MOST_CELLS = 28_000_000;
const NONE: ReadonlySet<Tensor> = new Set();

/** The tensors, largest first, without which the others fit into a file of text. */
export function beyondText(result: Result, table: boolean, most = MOST_CELLS): Set<Tensor> {
  const cells = ({ shape, data }: Tensor) => data.length * (table && shape.length > 2 ? shape.length + 1 : 1);
  let sum = result.tensors.reduce((all, tensor) => all + cells(tensor), 0);
  const beyond = new Set<Tensor>();
  for (const tensor of result.tensors.toSorted((a, b) => cells(b) - cells(a))) {
    if (sum <= most) break;
    beyond.add(tensor);
    sum -= cells(tensor);
  }
  return beyond;
}

const line = (cells: string[]): string => csvText([cells]);

// So many numbers are written at a time.
const TOGETHER = 4096;

// Numbers with a comma between them, the shortest that read back as the same single precision.
function* listed(data: Float32Array, from = 0, to = data.length): Generator<Piece> {
  for (let at = from; at < to; at += TOGETHER) {
    const some = data.subarray(at, Math.min(to, at + TOGETHER));
    yield { part: (at > from ? ',' : '') + JSON.stringify(Array.from(some, shortest)).slice(1, -1),
      numbers: some.length };
  }
}

// A line of a table: what is in front of its numbers, if anything, and the numbers.
function* lineOf(first: string | undefined, data: Float32Array, from = 0, to = data.length): Generator<Piece> {
  if (to - from <= TOGETHER) {
    const cells = Array.from(data.subarray(from, to), exact);
    return yield { part: line(first === undefined ? cells : [first, ...cells]), numbers: to - from };
  }
  if (first !== undefined) yield plain(`${line([first]).trimEnd()},`);
  for (let at = from; at < to; at += TOGETHER) {
    const end = Math.min(to, at + TOGETHER);
    yield { part: Array.from(data.subarray(at, end), exact).join(',') + (end < to ? ',' : '\r\n'), numbers: end - at };
  }
}

/** A matrix with its labels around it; more axes give one line a number, its places in front. */
export function* csvOf(tensor: Tensor, result: Result): Generator<Piece> {
  const { shape, data, axes, places } = tensor;
  const label = (axis: number, at: number) => result.tokens(places[axis] ?? '')?.[at] ?? String(at);
  if (shape.length === 0) return yield { part: line([exact(data[0] ?? 0)]), numbers: 1 };
  if (shape.length <= 2) {
    const cols = shape.at(-1) ?? 1;
    const last = shape.length - 1;
    const head = Array.from({ length: cols }, (_, j) => label(last, j));
    yield plain(line(shape.length === 1 ? head : ['', ...head]));
    if (shape.length === 1) return yield* lineOf(undefined, data);
    for (let i = 0; i < (shape[0] ?? 0); i++) yield* lineOf(label(0, i), data, i * cols, (i + 1) * cols);
    return undefined;
  }
  // Axes may lack a name or share one; a column has to have its own.
  const names = shape.map((_, k) => (axes[k] && axes.indexOf(axes[k]) === k ? axes[k] : `axis${k}`));
  yield plain(line([...names, 'value']));
  const indexOf = (k: number): number[] => {
    let rest = k;
    return shape.toReversed().map((extent) => {
      const at = rest % extent;
      rest = (rest - at) / extent;
      return at;
    }).toReversed();
  };
  for (let from = 0; from < data.length; from += TOGETHER) {
    const some = data.subarray(from, from + TOGETHER);
    yield { part: csvText(Array.from(some, (value, k) =>
      [...indexOf(from + k).map((at, axis) => label(axis, at)), exact(value)])), numbers: some.length };
  }
}

// An object of JSON, member after member; a member that is undefined is none.
function* members(list: Iterable<[name: string, value: Iterable<Piece> | undefined]>): Generator<Piece> {
  let before = '{';
  for (const [name, value] of list) {
    if (value === undefined) continue;
    yield plain(`${before}${JSON.stringify(name)}:`);
    yield* value;
    before = ',';
  }
  yield plain(before === '{' ? '{}' : '}');
}
const json = (value: unknown): [Piece] | undefined =>
  (value === undefined ? undefined : [plain(JSON.stringify(value))]);

function* list(data: Float32Array): Generator<Piece> {
  yield plain('[');
  yield* listed(data);
  yield plain(']');
}

const body = (tensor: Tensor, first: object = {}): Iterable<Piece> => members([
  ...Object.entries({ ...first, shape: tensor.shape, axes: tensor.axes, formula: tensor.formula || undefined })
    .map(([name, value]): [string, Iterable<Piece> | undefined] => [name, json(value)]),
  ['data', list(tensor.data)]]);

export function* jsonOf(tensor: Tensor): Generator<Piece> {
  yield* body(tensor, { name: tensor.name, group: tensor.group });
  yield plain('\n');
}

// Of each matrix of weights what its rows say, as the page shows it beside them.
const rowsIn = (result: Result): [Tensor, Row[]][] =>
  result.tensors.filter(isWeights).map((tensor): [Tensor, Row[]] => [tensor, rowsOf(tensor, result)])
  .filter(([, rows]) => rows.length > 0);

/** A line a row: which it is, its entropy in bits, how many keys it looks at, and at which most. */
export function rowsCsv(rows: Row[]): string {
  const [first] = rows;
  const names = Object.keys(first?.row ?? {});
  return line([...names, 'entropy_bits', 'keys', 'largest_key', 'largest']) +
    rows.map(({ row, entropy, support, key, value }) =>
      line([...names.map((name) => String(row[name])), entropy === undefined ? '' : exact(entropy), String(support),
        String(key), exact(value)]))
      .join('');
}

// The words of the inputs and of the axes by their names, and those of classes by their place.
function labelsOf(result: Result): Record<string, readonly string[]> {
  const { labels, tokens } = result.directory;
  const all: Record<string, readonly string[]> = { ...labels, ...tokens };
  const known = new Set(Object.values(all));
  for (const place of new Set(result.tensors.flatMap(({ places }) => places))) {
    const words = place === '' ? undefined : result.tokens(place);
    if (words && !known.has(words)) all[place] = words;
  }
  return all;
}

const leftOut = (lacks: readonly string[]) => (lacks.length > 0 ? { left_out: lacks } : {});

/**
 * Everything that was computed, laid out as the command line prints it, with the document. `lacks`: the names of what
 * is left out; `beyond`: the tensors of the result among them. A step has an `id` beside its name, which is LaTeX.
 */
export function* allJson(result: Result, lacks: readonly string[] = [], beyond = NONE): Generator<Piece> {
  const { document, warnings } = result.directory;
  const ids = plainNames(result);
  const named = (group: 'inputs' | 'outputs' | 'parameters' | 'gradients') =>
    members(result.all(group).filter((tensor) => !beyond.has(tensor))
      .map((tensor): [string, Iterable<Piece>] => [tensor.name, body(tensor)]));
  function* steps(): Generator<Piece> {
    const all = result.all('steps').filter((tensor) => !beyond.has(tensor));
    yield plain('[');
    for (const [k, tensor] of all.entries()) {
      if (k > 0) yield plain(',');
      yield* body(tensor, { id: ids.get(tensor), name: tensor.name });
    }
    yield plain(']');
  }
  const rows = Object.fromEntries(rowsIn(result)
    .map(([{ name }, list]) => [name,
    list.map(({ row, entropy, support, key, value }) =>
    ({ row, entropy, keys: support, key, largest: shortest(value) }))]));
  yield* members([['document', json(document)], ['labels', json(labelsOf(result))], ['inputs', named('inputs')],
    ['outputs', named('outputs')], ['parameters', named('parameters')], ['gradients', named('gradients')],
    ['steps', steps()], ['rows', json(rows)], ['warnings', json(warnings)],
    ['left_out', lacks.length > 0 ? json(lacks) : undefined]]);
  yield plain('\n');
}

export function csvZip(result: Result, _lacks: readonly string[] = [], beyond = NONE): Generator<Piece> {
  const names = plainNames(result);
  return zipped([...[...names].filter(([tensor]) => !beyond.has(tensor))
    .map(([tensor, name]): [string, Iterable<Piece>] => [`${name}.csv`, csvOf(tensor, result)]),
  ...rowsIn(result).map(([tensor, list]): [string, Iterable<Piece>] =>
    [`rows_of_${names.get(tensor)}.csv`, [plain(rowsCsv(list))]])]);
}

// An array of NumPy, some of its numbers at a time.
function* npyOf({ shape, data }: Tensor): Generator<Piece> {
  yield plain(npyHead(shape));
  for (let at = 0; at < data.length; at += TOGETHER) {
    const some = data.subarray(at, at + TOGETHER);
    yield { part: littleEndian(some), numbers: some.length };
  }
}

/**
 * What numpy.load reads: a zip of .npy files. Words along an axis are arrays of text, and `about.json` has the document
 * and, for each array, the names of the places along its axes.
 */
export function npz(result: Result, lacks: readonly string[] = []): Generator<Piece> {
  const names = plainNames(result);
  const { document, warnings } = result.directory;
  const labels = labelsOf(result);
  const called = (name: string) => `labels.${name.replace(/[^\p{L}\p{N}.-]+/gu, '_')}`;
  const lists = new Map(Object.entries(labels).map(([name, words]) => [words, called(name)]));
  const axis = ({ places, axes }: Tensor, k: number): string => {
    const words = result.tokens(places[k] ?? '');
    return (words && (lists.get(words) ?? called(places[k]!))) ?? axes[k] ?? '';
  };
  const about = { document, warnings, ...leftOut(lacks), axes: Object.fromEntries([...names].map(([tensor, name]) =>
    [name, tensor.shape.map((_, k) => axis(tensor, k))])) };
  return zipped([
    ...[...names].map(([tensor, name]): [string, Iterable<Piece>] => [`${name}.npy`, npyOf(tensor)]),
    ...Object.entries(labels).map(([name, words]): [string, Iterable<Piece>] =>
      [`${called(name)}.npy`, [plain(writeNpyText(words))]]),
    ['about.json', [plain(`${JSON.stringify(about)}\n`)]]]);
}
