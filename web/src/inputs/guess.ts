// SPDX-License-Identifier: Apache-2.0

const number = /^[-+−]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?$/i;

const cellsOf = (text: string): string[] => text.split(/[\s,;|]+/).filter(Boolean);

// Lines that one mark parts into equally many cells, with a number in each but perhaps the first.
function inColumns(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.slice(1).every((line) => cellsOf(line).some((cell) => number.test(cell))))
    return false;
  return ['\t', ';', '|', ','].some((mark) => {
    const counts = lines.map((line) => line.split(mark).length);
    return counts[0]! > 1 && counts.every((count) => count === counts[0]);
  });
}

/** Whether pasted text is data rather than a sentence: JSON, columns, or mostly numbers. */
export function looksLikeData(text: string): boolean {
  const start = text.trim();
  if (/^(\{|\[)/.test(start) && /[}\]]$/.test(start)) return true;
  const some = start.slice(0, 5000);
  const cells = cellsOf(some);
  return inColumns(some) || (cells.length >= 2 && cells.filter((cell) => number.test(cell)).length > cells.length / 2);
}
