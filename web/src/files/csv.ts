// SPDX-License-Identifier: Apache-2.0
// Tables as text, for spreadsheets and programs (RFC 4180): the only place of the page that writes them.

const NUMBER = /^[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|Infinity)$/i;
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

// A spreadsheet computes what begins like a formula: an apostrophe in front makes it text. Numbers stay numbers.
const guarded = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

function cell(value: string | number | undefined): string {
  const text = guarded(String(value ?? ''));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of cells as CSV; what is undefined is an empty cell. */
export const csvText = (rows: Iterable<readonly (string | number | undefined)[]>): string =>
  Array.from(rows, (row) => `${row.map(cell).join(',')}\r\n`).join('');
