// SPDX-License-Identifier: Apache-2.0
import Papa from 'papaparse';
import { strings } from '../strings/en.ts';
import { type Found, MOST_NUMBERS, MOST_ROWS } from './input-data.ts';

const words = strings.bring;

// "0,5" is a half wherever commas do not part the columns.
function numberIn(cell: string, commaParts: boolean): number | undefined {
  const text = cell.trim().replace('−', '-');
  const value = text === '' ? Number.NaN : Number(commaParts ? text : text.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

// What stands in every line parts the columns. Commas come last: they may also be decimal.
function delimiterOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '');
  return ['\t', ';', '|', ','].find((mark) => lines.every((line) => line.includes(mark)))
    ?? (lines.some((line) => line.includes(',')) ? ',' : ' ');
}

/** Columns of numbers, with names of columns in the first line and of rows in the first column if there. */
export function readTable(text: string): Found {
  const { data, meta } = Papa.parse<string[]>(text.trim(), { delimiter: delimiterOf(text), skipEmptyLines: 'greedy' });
  const commaParts = meta.delimiter === ',';
  const read = (cell: string | undefined) => numberIn(cell ?? '', commaParts);
  const lines = data.map((cells) => (meta.delimiter === ' ' ? cells.filter((cell) => cell !== '') : cells));
  const headed = lines.length > 1 && lines[0]!.slice(1).every((cell) => read(cell) === undefined)
    && lines[0]!.some((cell) => cell.trim() !== '' && read(cell) === undefined);
  const body = headed ? lines.slice(1) : lines;
  const labelled = body.length > 0 && body.every((cells) => cells.length > 1 && read(cells[0]) === undefined);
  const from = labelled ? 1 : 0;
  const width = (body[0]?.length ?? 0) - from;
  if (width < 1) return { kind: 'wrong', why: words.noNumbers };
  if (body.length > MOST_ROWS || body.length * width > MOST_NUMBERS)
    return { kind: 'wrong', why: words.tooMany(body.length, width) };
  const rows: number[][] = [];
  for (const [i, cells] of body.entries()) {
    if (cells.length - from !== width) return { kind: 'wrong', why: words.ragged(i + 1, cells.length - from, width) };
    const row: number[] = [];
    for (const [j, cell] of cells.slice(from).entries()) {
      const value = read(cell);
      if (value === undefined) return { kind: 'wrong', why: words.notNumber(i + 1, j + 1, cell) };
      row.push(value);
    }
    rows.push(row);
  }
  const columns = headed ? lines[0]!.slice(lines[0]!.length - width) : undefined;
  return { kind: 'matrix', rows, labels: labelled ? body.map((cells) => cells[0]!.trim()) : undefined, columns };
}
