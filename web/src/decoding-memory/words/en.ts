// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words of what must be kept, in English. */
export const words = {
  title: 'What must be kept to write the next word',
  about:
    'To run word by word, the program needs the keys and values of earlier words, or the state of a recurrent core.',
  refused: message((name: string, why: string) => ({ name, why }), '“{ $name }” cannot write word by word: { $why }.'),
  causal: message((name: string) => ({ name }), 'With a causal mask it can: the numbers below are those of '
    + '“{ $name }” with this mask.'),
  addCausal: 'Add a causal mask',
  addMask: 'Add a causal mask.',
  nothing: message((name: string, until: string) => ({ name, until }),
    'In “{ $name }”, only the part up to “{ $until }” can be computed word by word, and it keeps no numbers. The rest '
      + 'needs all words at once or has no row for each word.'),
  curve: 'Kept after n words',
  bytes: 'bytes',
  inBytes: message((count: string) => ({ count }), '{ $count } bytes'),
  after: 'after',
  words: message((n: number) => ({ n }), plural('n', { one: '1 word', other: '# words' })),
  madeOf: message((name: string) => ({ name }), 'What “{ $name }” keeps'),
  module: 'Module',
  tensor: 'Tensor',
  earlier: message((back: number) => ({ back }),
    `the row ${plural('back', { one: '1 word', other: '# words' })} earlier, for`),
  from: 'computed from',
  rowsUnnamed: 'rows without a name',
  stateUnnamed: 'a state without a name',
  numbers: 'Numbers',
  grows: 'For',
  fixed: 'all words together',
  eachWord: 'each word',
  rowsAtMost: message((rows: number) => ({ rows }),
    `each of at most ${plural('rows', { one: '1 word', other: '# words' })}`),
  until: message((name: string) => ({ name }), 'Counted up to “{ $name }”, the last result with a row for each word.'),
  written: message((over: string, read: string) => ({ over, read }),
    'Only the words of “{ $over }” are counted. Results computed once from “{ $read }” are also kept, but not '
      + 'counted.'),
  positions: message((name: string, most: number) => ({ name, most }), `“{ $name }” has learned positions for ${
    plural('most', { one: '1 word', other: '# words' })}, so its numbers end there.`),
  note: 'Each number takes 4 bytes. The first words are counted one by one; after that, the same growth is assumed.',
};
