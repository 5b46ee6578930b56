// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from './message.ts';
import { addEnglish } from './language.ts';

// Words of the parts around the picture, which load with the first move. Each of these parts imports this file.
export const flowing = {
  keysOf: message((n: number) => ({ n }), plural('n', { one: '1 key', other: '# keys' })),
  fromTo: message((low: string, high: string) => ({ low, high }), '{ $low } to { $high }'),
  expand: 'Expand',
  collapse: 'Collapse',
  structure: {
    together: 'all together',
    helpTap: 'Tap a part to go to its matrices.',
    help: 'Point at a part to see its matrices; press it to go there.',
    takes: message((from: string[]) => ({ from }), 'takes { $from }'),
    gives: message((to: string[]) => ({ to }), 'is used by { $to }'),
  },
  thisIs: 'At these coordinates:',
  noSystem: 'No published system that we list has exactly these coordinates.',
  nearest: message((title: string, names: string[]) => ({ title, names }),
    'The nearest, { $title }, differs in { $names }.'),
  earlier: message((value: string) => ({ value }), 'before: { $value }'),
  wholeMatrix: 'whole weight matrix',
  rowsSumTo: 'Rows sum to',
  inAllRows: message((sum: string, rows: number) => ({ sum, rows }),
    `{ $sum } in ${plural('rows', { one: 'its 1 row', other: 'all # rows' })}`),
  entropyMean: 'Mean entropy',
  entropyOfShares: 'Mean entropy, after each row is divided by its sum',
  rowOf: message((row: string) => ({ row }), 'Row of { $row }'),
  keysAbove: 'Mean number of keys above 0',
  largest: 'Largest',
  bitsOf: message((n: string, most: string) => ({ n, most }), '{ $n } of { $most } bits'),
  parametersNote: message((numbers: number, count: number, from: 'drawn' | 'fixed' | 'both') =>
    ({ numbers, count, from }), `${plural('numbers', { one: '1 number', other: '# numbers' })} in ${plural('count',
      { one: '1 matrix', other: '# matrices' })}; ${either('from', { drawn: 'drawn from the seed', fixed: 'the same '
        + 'for every seed', both: 'some are drawn from the seed' })}; double-click or double-tap a cell to set it`),
  parametersLearned: message((numbers: number, count: number) => ({ numbers, count }),
    `${plural('numbers', { one: '1 number', other: '# numbers' })} in ${plural('count',
      { one: '1 matrix', other: '# matrices' })
    }; learned from examples; double-click or double-tap a cell to set it`),
  parameterList: { open: 'List all', heads: ['Name', 'Shape', 'Numbers', 'From'], drawn: 'drawn from the seed',
    fixed: 'the same for every seed', all: 'All' },
  learnedNote: 'learned from examples',
  linesHelp: 'Up and down choose a query, left and right choose one of its keys by weight, Enter locks it, Escape '
    + 'unlocks it.',
};

addEnglish(flowing);
