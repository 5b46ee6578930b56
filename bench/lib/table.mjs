// SPDX-License-Identifier: Apache-2.0

/** A Markdown table; the first column is to the left, the others are to the right. */
export function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(3, ...all.map((row) => row[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
    .join(' | ')} |`;
  const rule = line(widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [line(all[0]), rule, ...all.slice(1).map(line)].join('\n');
}

export const missing = '–';

/** A number with so many digits after the point, or a dash where there is none. */
export const fixed = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : missing);

export const kilobytes = (bytes) => fixed(bytes / 1024, bytes < 10_240 ? 1 : 0);
