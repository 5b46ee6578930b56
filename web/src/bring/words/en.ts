// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  looksUp: message((n: number) => ({ n }),
    `This model looks words up in its own list of ${plural('n', { one: '1 word', other: '# words' })}.`),
  numbersUnused: 'It reads only the words of this table. The numbers are not used.',
  noWords: 'This table has numbers but no words, and this model reads only words. Add a column with the words.',
  weightsMissing: message((names: string[]) => ({ names }),
    'This document needs the trained weights “{ $names }”. They are neither in the file nor in this browser. Ask the '
    + 'sender for a file that contains them, or train the model again.'),
};
