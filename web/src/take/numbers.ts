// SPDX-License-Identifier: Apache-2.0
import { strToU8, zipSync } from 'fflate';
import { exact, shortest } from '../colour/numbers.ts';
import { isWeights } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { csvText } from '../files/csv.ts';
import { writeNpy, writeTexts } from '../files/npy.ts';
import { type Row, rowsOf } from '../large/rows.ts';

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

/** Everything that was computed, laid out as the command line prints it, with the document. */
export function allJson(result: Result): string {
  const { document, labels, warnings } = result.directory;
  const named = (group: 'inputs' | 'outputs' | 'parameters' | 'gradients') =>
    Object.fromEntries(result.all(group).map((tensor) => [tensor.name, body(tensor)]));
  const steps = result.all('steps').map((tensor) => ({ name: tensor.name, ...body(tensor) }));
  const rows = Object.fromEntries(rowsIn(result)
    .map(([{ name }, list]) => [name,
    list.map(({ row, entropy, support, key, value }) =>
    ({ row, entropy, keys: support, key, largest: shortest(value) }))]));
  return `${JSON.stringify({ document, labels, inputs: named('inputs'), outputs: named('outputs'),
    parameters: named('parameters'), gradients: named('gradients'), steps, rows, warnings })}\n`;
}

const cleaned = (name: string): string => name.replace(/[^\p{L}\p{N}.]+/gu, '_').replace(/^_+|_+$/g, '');

/** A file's name for each tensor: steps are named in LaTeX and may repeat, so they are numbered. */
export function plainNames(result: Result): Map<Tensor, string> {
  const counts: Record<string, number> = {};
  return new Map(result.tensors.map((tensor) => {
    const at = (counts[tensor.group] = (counts[tensor.group] ?? 0) + 1);
    const clean = cleaned(tensor.name);
    return [tensor, tensor.group === 'steps' ? `steps.${String(at).padStart(2, '0')}_${clean}`
      : `${tensor.group}.${clean}`];
  }));
}

// A fixed date, so that the same numbers give the same file.
const mtime = new Date(2000, 0, 1);

export function csvZip(result: Result): Uint8Array {
  const names = plainNames(result);
  const rows = rowsIn(result).map(([tensor, list]) => [`rows_of_${names.get(tensor)}.csv`, strToU8(rowsCsv(list))]);
  return zipSync(Object.fromEntries(
    [...[...names].map(([tensor, name]) => [`${name}.csv`, strToU8(csvOf(tensor, result))]), ...rows]), { mtime });
}

/** What numpy.load reads: a zip of .npy files. */
export function npz(result: Result): Uint8Array {
  const names = plainNames(result);
  return zipSync(Object.fromEntries([
    ...[...names].map(([tensor, name]) => [`${name}.npy`, writeNpy(tensor.shape, tensor.data)] as const),
    ...Object.entries(result.directory.labels).map(([name, list]) =>
      [`labels.${cleaned(name)}.npy`, writeTexts(list)] as const)]), { mtime });
}
