// SPDX-License-Identifier: Apache-2.0
// A matrix as a table of LaTeX, with the rules of booktabs.
import type { Result, Tensor } from '../engine/result.ts';
import { HEAD } from '../directory/places.ts';

/** Digits behind the point: as many as a table has room for. The CSV has all of them. */
const PLACES = 3;
/** More tables than this are no tables for a paper. */
const MOST_TABLES = 64;

// A row that begins with a bracket or a star would be read as an argument of the line break before it.
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\textbackslash{}', '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}', '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}', '[': '{[}', '*': '{*}',
  '␣': '\\textvisiblespace{}', '#': '\\#', $: '\\$', '%': '\\%', '&': '\\&', _: '\\_', '{': '\\{', '}': '\\}' };
const escaped = (text: string): string => text.replace(/[\\~^<>|[␣*#$%&_{}]|\s+/gu, (sign) => ESCAPED[sign] ?? ' ');

// A number that rounds to zero has no sign.
const written = (value: number): string => {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '$\\infty$' : '$-\\infty$';
  const text = value.toFixed(PLACES);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '$-$');
};

function tabular(rows: readonly (readonly string[])[], head: readonly string[], named: boolean): string {
  const line = (cells: readonly string[]) => `  ${cells.join(' & ')} \\\\`;
  return ['\\begin{tabular}{' + (named ? 'l' : '') + 'r'.repeat(head.length - (named ? 1 : 0)) + '}', '  \\toprule',
    line(head), '  \\midrule', ...rows.map(line), '  \\bottomrule', '\\end{tabular}'].join('\n');
}

/**
 * A matrix with its labels as one table; of more axes, such as heads, one table for each place along the axes in front.
 * `title`: what the matrix is called.
 */
export function latexTable(tensor: Tensor, result: Result, title: string): string {
  const { shape, data, axes, places } = tensor;
  const rank = shape.length;
  const cols = shape.at(-1) ?? 1;
  const height = rank > 1 ? shape[rank - 2]! : 1;
  const labelled = (axis: number): readonly string[] | undefined => result.labels(places[axis] ?? '');
  const label = (axis: number, at: number): string => escaped(labelled(axis)?.[at] ?? String(at + 1));
  const head = [...(rank > 1 ? [''] : []), ...Array.from({ length: cols }, (_, j) =>
    (rank === 0 ? escaped(title) : label(rank - 1, j)))];
  const size = height * cols;
  const all = Math.max(1, data.length / Math.max(1, size));
  const count = Math.min(MOST_TABLES, all);
  const tables = Array.from({ length: count }, (_, k) => {
    const rows = Array.from({ length: height }, (_row, i) => [...(rank > 1 ? [label(rank - 2, i)] : []),
      ...Array.from({ length: cols }, (_col, j) => written(data[k * size + i * cols + j] ?? NaN))]);
    // Where it lies along the axes in front, counted from 1 as on the page.
    let rest = k;
    const at = shape.slice(0, -2).map((extent, axis) => ({ extent, axis })).toReversed().map(({ extent, axis }) => {
      const place = rest % extent;
      rest = (rest - place) / extent;
      const name = places[axis] === HEAD ? 'head' : axes[axis] || 'part';
      return `${name} ${labelled(axis)?.[place] ?? place + 1}`;
    }).toReversed();
    return `${at.length > 0 ? `% ${at.join(', ')}\n` : ''}${tabular(rows, head, rank > 1)}`;
  });
  const note = `% ${title.replace(/\s+/g, ' ')}; rounded to ${PLACES} decimals\n% needs booktabs${
    all > count ? `\n% the first ${count} of ${all} tables` : ''}`;
  return `${note}\n${tables.join('\n\n')}\n`;
}
