// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** What is said of matrices that come with their names, and of the forms that are read, in English. */
export const words = {
  forms: 'Accepted formats',
  text: 'Words: a sentence, or a list such as',
  table: 'One matrix: one row of numbers per line. The first column may name the rows.',
  json: 'One matrix as JSON:',
  named: 'Queries, keys and values: an object with the names Q, K, V or query, key, value:',
  found: message((given: string) => ({ given }), 'Matrices: { $given }'),
  notMatrix: message((name: string) => ({ name }),
    '“{ $name }” is not a matrix: write one list of numbers for each row.'),
  otherName: message((name: string) => ({ name }),
    '“{ $name }” is not the name of an input. Use the names query, key and value, or Q, K and V.'),
  twice: message((name: string) => ({ name }), 'The matrix of “{ $name }” is given twice.'),
  otherRows: message((keys: number, values: number) => ({ keys, values }),
    'Each key needs one value: found { $keys } rows of keys and { $values } rows of values.'),
  becomesBasic: 'The query type becomes “Basic”, which reads these matrices without projections.',
  notRead: message((name: string, read: string) => ({ name, read }),
    'This document does not read “{ $name }”; it reads { $read }. Choose the query type “Basic” first.'),
  looksUp: message((n: number) => ({ n }),
    `This model looks words up in its own list of ${plural('n', { one: '1 word', other: '# words' })}.`),
  numbersUnused: 'It reads only the words of this table. The numbers are not used.',
  noWords: 'These numbers have no words, and this model reads only words. Use a table with a column of words.',
  which: 'This model reads words. What do you want to use?',
  theWords: 'The words of the table, in this model',
  theNumbers: 'The numbers: each row attends to all rows, and nothing is learned',
  numbersAlone: 'This model reads only words, so the numbers open by themselves: each row attends to all rows, and '
    + 'nothing is learned. Undo brings this model back.',
  numbersTitle: 'A table of numbers',
  weightsMissing: message((names: string[]) => ({ names }),
    'This document needs the trained weights “{ $names }”. They are neither in the file nor in this browser. Ask the '
    + 'sender for a file that contains them, or train the model again.'),
} as const;
