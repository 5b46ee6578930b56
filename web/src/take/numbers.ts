// SPDX-License-Identifier: Apache-2.0
import { strToU8, zipSync } from 'fflate';
import { exact, shortest } from '../colour/numbers.ts';
import { isWeights } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { csvText } from '../files/csv.ts';
import { writeNpy, writeNpyText } from '../files/npy.ts';
import { type Row, rowsOf } from '../large/rows.ts';
import { plainNames } from './plain-names.ts';

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

/**
 * A matrix with its labels around it; more axes give one line a number, its places in front.
 * Numbers are the shortest that read back as the same single precision.
 */
export function csvOf(tensor: Tensor, result: Result): string {
  const { shape, data, axes, places } = tensor;
  const label = (axis: number, at: number) => result.tokens(places[axis] ?? '')?.[at] ?? String(at);
  if (shape.length === 0) return line([exact(data[0] ?? 0)]);
  if (shape.length <= 2) {
    const cols = shape.at(-1) ?? 1;
    const last = shape.length - 1;
    const head = Array.from({ length: cols }, (_, j) => label(last, j));
    if (shape.length === 1) return line(head) + line(Array.from(data, exact));
    const rows = Array.from({ length: shape[0] ?? 0 }, (_, i) =>
      line([label(0, i), ...Array.from(data.subarray(i * cols, (i + 1) * cols), exact)]));
    return line(['', ...head]) + rows.join('');
  }
  // Axes may lack a name or share one; a column has to have its own.
  const names = shape.map((_, k) => (axes[k] && axes.indexOf(axes[k]) === k ? axes[k] : `axis${k}`));
  let text = line([...names, 'value']);
  data.forEach((value, k) => {
    let rest = k;
    const index = shape.toReversed().map((extent) => {
      const at = rest % extent;
      rest = (rest - at) / extent;
      return at;
    });
    text += line([...index.toReversed().map((at, axis) => label(axis, at)), exact(value)]);
  });
  return text;
}

const body = ({ shape, axes, data, formula }: Tensor) =>
  ({ shape, axes, ...(formula ? { formula } : {}), data: Array.from(data, shortest) });

export function jsonOf(tensor: Tensor): string {
  return `${JSON.stringify({ name: tensor.name, group: tensor.group, ...body(tensor) })}\n`;
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
export function allJson(result: Result, lacks: readonly string[] = [], beyond = NONE): string {
  const { document, warnings } = result.directory;
  const ids = plainNames(result);
  const labels = labelsOf(result);
  const named = (group: 'inputs' | 'outputs' | 'parameters' | 'gradients') =>
    Object.fromEntries(result.all(group).filter((tensor) => !beyond.has(tensor))
      .map((tensor) => [tensor.name, body(tensor)]));
  const steps = result.all('steps').filter((tensor) => !beyond.has(tensor)).map((tensor) =>
    ({ id: ids.get(tensor), name: tensor.name, ...body(tensor) }));
  const rows = Object.fromEntries(rowsIn(result)
    .map(([{ name }, list]) => [name,
    list.map(({ row, entropy, support, key, value }) =>
    ({ row, entropy, keys: support, key, largest: shortest(value) }))]));
  return `${JSON.stringify({ document, labels, inputs: named('inputs'), outputs: named('outputs'),
    parameters: named('parameters'), gradients: named('gradients'), steps, rows, warnings,
    ...leftOut(lacks) })}\n`;
}

// A fixed date, so that the same numbers give the same file.
const mtime = new Date(2000, 0, 1);

export function csvZip(result: Result, _lacks: readonly string[] = [], beyond = NONE): Uint8Array {
  const names = plainNames(result);
  const rows = rowsIn(result).map(([tensor, list]) => [`rows_of_${names.get(tensor)}.csv`, strToU8(rowsCsv(list))]);
  return zipSync(Object.fromEntries([...[...names].filter(([tensor]) => !beyond.has(tensor))
    .map(([tensor, name]) => [`${name}.csv`, strToU8(csvOf(tensor, result))]), ...rows]), { mtime });
}

/**
 * What numpy.load reads: a zip of .npy files. Words along an axis are arrays of text, and `about.json` has the document
 * and, for each array, the names of the places along its axes.
 */
export function npz(result: Result, lacks: readonly string[] = []): Uint8Array {
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
  return zipSync(Object.fromEntries([
    ...[...names].map(([tensor, name]): [string, Uint8Array] => [`${name}.npy`, writeNpy(tensor.shape, tensor.data)]),
    ...Object.entries(labels).map(([name, words]): [string, Uint8Array] =>
      [`${called(name)}.npy`, writeNpyText(words)]),
    ['about.json', strToU8(`${JSON.stringify(about)}\n`)]]), { mtime });
}
