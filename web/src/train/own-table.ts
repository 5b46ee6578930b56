// SPDX-License-Identifier: Apache-2.0
import Papa from 'papaparse';

/** A table of comma-separated values as lines with tabs: each row one line, whatever blanks its cells hold. */
export function asLines(text: string): string {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' });
  return data.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()).join('\t')).join('\n');
}
