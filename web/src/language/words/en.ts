// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  title: 'A small model of Jane Austen',
  who: 'We trained this model on four of her novels, which are in the public domain. The text is from the Debian '
    + 'package',
  invite: message((numbers: string) => ({ numbers }),
    'The model has { $numbers } million parameters and can write: type the beginning of a sentence.'),
  thumbnails: message((heads: number, text: string) => ({ heads, text }),
    'The model computed these { $heads } attention maps of “{ $text }”.'),
  open: message((size: string) => ({ size }), 'Open it, { $size } MB'),
  lost: 'The model did not load. Check your connection, then try again.',
  tryIt: 'Try this',
  tryText: 'type the beginning of a sentence and let the model continue.',
  measured: message((numbers: string, steps: number, right: string, passages: number, pairs: string, bits: string) =>
    ({ numbers, steps, right, passages, pairs, bits }),
  'It has { $numbers } weights and was trained for { $steps } steps. In { $passages } passages that it has never read, '
    + 'it predicts { $right } of the tokens; a table of pairs of neighbouring tokens predicts { $pairs }. The model '
    + 'needs { $bits } bits per character.'),
  heads: 'What its heads attend to',
  looks: {
    itself: message((layer: number, number: number, weight: string, rows: number) => ({ layer, number, weight, rows }),
      'Layer { $layer }, head { $number }: { $weight } of its weight is on the token itself, on average over '
      + '{ $rows } rows of these passages.'),
    before: message((layer: number, number: number, weight: string, rows: number) => ({ layer, number, weight, rows }),
      'Layer { $layer }, head { $number }: { $weight } of its weight is on the token before, on average over '
      + '{ $rows } rows of these passages.'),
    first: message((layer: number, number: number, weight: string, rows: number) => ({ layer, number, weight, rows }),
      'Layer { $layer }, head { $number }: { $weight } of its weight is on the first token, on average over '
      + '{ $rows } rows of these passages. This token carries little information, so heads put '
      + 'weight there that they need nowhere else.'),
    same: message((layer: number, number: number, weight: string, rows: number) => ({ layer, number, weight, rows }),
      'Layer { $layer }, head { $number }: { $weight } of its weight is on earlier positions of the same token, on '
      + 'average over { $rows } rows of these passages whose token occurred before.'),
    after: message((layer: number, number: number, weight: string, rows: number) => ({ layer, number, weight, rows }),
      'Layer { $layer }, head { $number }: { $weight } of its weight is on the token that followed an earlier copy of '
      + 'the current token, on average over { $rows } rows of these passages.'),
  },
  fails: 'Where it fails',
  looksNot: {
    before: message((weight: string) => ({ weight }),
      'No head gives more than { $weight } of its weight to the token before.'),
    same: message((weight: string) => ({ weight }),
      'No head gives more than { $weight } of its weight to earlier positions of the same token.'),
    after: message((weight: string) => ({ weight }),
      'Where a token occurs again, no head gives more than { $weight } of its weight to the token that came next the '
        + 'first time. So the model has no induction head.'),
  },
  repeated: message((right: string) => ({ right }),
    'When a list of words is repeated, the model predicts { $right } of the tokens of the second copy correctly.'),
  example: message((begins: string, goesOn: string, book: string) => ({ begins, goesOn, book }),
    'It writes sentences without a plan. After “… { $begins }”, the book continues with “{ $book } …”, but '
      + 'the model continues with “{ $goesOn } …”.'),
  oneSeed: 'All this was measured on a single training run. Other seeds were not tried.',
  seeds: message((same: number, tried: number) => ({ same, tried }),
    `In { $same } of ${plural('tried', { one: '1 more training run', other: '# more training runs' })} with different `
      + 'seeds, heads attend to the same things.'),
};
