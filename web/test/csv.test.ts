// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvText } from '../src/files/csv.ts';

it('a cell that a spreadsheet would compute is text, and a number is a number', () => {
  expect(csvText([['=1+1', '+a', '-b', '@SUM(A1)', '\tx', '-1.5', '+2', '-2e-7', '-Infinity', '-.5', -3, undefined]]))
    .toBe(`'=1+1,'+a,'-b,'@SUM(A1),"'\tx",-1.5,+2,-2e-7,-Infinity,-.5,-3,\r\n`.replace('"\'\tx"', "'\tx"));
  expect(csvText([['=HYPERLINK("http://a","b")']])).toBe(`"'=HYPERLINK(""http://a"",""b"")"\r\n`);
});

it('every text comes back, but for the mark before a formula', () => {
  fc.assert(fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }),
    { minLength: 1, maxLength: 4 }), (rows) => {
    const back = Papa.parse<string[]>(csvText(rows).replace(/\r\n$/, ''), { delimiter: ',', newline: '\r\n' }).data;
    expect(back.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''))))
      .toEqual(rows.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''))));
  }), { seed: 9, numRuns: 500 });
});

it('no other file of the page writes cells', () => {
  const source = join(import.meta.dirname, '../src');
  const files = readdirSync(source, { recursive: true }).map(String).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(300);
  const own = files.filter((name) => name !== join('files', 'csv.ts'))
    .filter((name) => /replaceAll\('"', '""'\)/.test(readFileSync(join(source, name), 'utf8')));
  expect(own).toEqual([]);
});
