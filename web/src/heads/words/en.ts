// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  title: 'All heads',
  count: message((heads: number) => ({ heads }),
    plural('heads', { one: '# attention map', other: '# attention maps' })),
  find: 'Find heads',
  findHelp: 'Each dot is one head. Choose a measure to score every head.',
  finds: message((place: string, value: string, heads: number, measure: string) =>
    ({ place, value, heads, measure }),
  'Ranked first of { $heads } heads: { $place }, { $measure } { $value }.'),
  none: 'With these tokens, no head has a number for this measure.',
  frames: message((best: number) => ({ best }), `${plural('best', {
    one: 'Dashed frame: the highest-ranked head.', other: 'Dashed frames: the # highest-ranked heads.' })} Solid `
    + 'frame: the head that is shown large. Layers have the names that the structure gives them; heads are counted '
    + 'from 1.'),
  help: 'Arrow keys move, Home and End go to the ends of a layer, digits choose a measure, Enter opens the head.',
  inOrder: 'Sort into one list',
  inPlace: 'Back to layers and heads',
  toLayer: message((layer: string) => ({ layer }), 'Show { $layer }'),
  switchOff: 'Switch this head off',
  switchOn: 'Switch it on again',
  switchAllOff: message((head: number, layers: number) => ({ head, layers }),
    'Switch off head { $head } in all { $layers } layers'),
  switchAllOn: message((layers: number) => ({ layers }), 'Switch it on again in all { $layers } layers'),
  off: 'This head is off: its output is set to 0.',
  toNext: 'Show how the next words changed',
  isOff: 'off',
  head: message((head: number) => ({ head }), 'head { $head }'),
  place: message((layer: string, head: number) => ({ layer, head }), '{ $layer }, head { $head }'),
  sharedKeys: message((heads: number, keys: number) => ({ heads, keys }),
    `The { $heads } heads of a layer ${plural('keys', { one: 'all read the same keys and values.',
      other: 'share # key-value heads: neighbouring heads read the same keys and values.' })}`),
  parameters: message((parameters: number) => ({ parameters }),
    plural('parameters', { one: '# parameter in all', other: '# parameters in all' })),
  parametersNote: 'A matrix that two modules share counts once.',
  noShares: 'The numbers in these maps are not shares of attention: some are negative, or a row adds up to more than '
    + '1. No measure of heads applies to them.',
  says: message((place: string, measure: string, value: string, rank: number, heads: number) =>
    ({ place, measure, value, rank, heads }),
  '{ $place }; { $measure } { $value }, rank { $rank } of { $heads }.'),
  saysNone: message((place: string, measure: string) => ({ place, measure }),
    '{ $place }; no number for { $measure }.'),
  highest: message((place: string) => ({ place }), 'highest: { $place }'),
  lowest: message((place: string) => ({ place }), 'lowest: { $place }'),
  noNumber: 'no number',
  lacks: {
    tokens: 'The tokens are not known.',
    self: 'Queries and keys are different tokens.',
    second: 'There is only one token.',
    repeats: 'No token occurs twice.',
    earlier: 'No token occurs twice with another token in between.',
    shared: 'No token of the queries is among the keys.',
  },
  lacking: message((heads: number, why: string) => ({ heads, why }),
    `${plural('heads', { one: '1 head has no number', other: '# heads have no number' })}. { $why }`),
  bits: message((value: string) => ({ value }), '{ $value } bits'),
  most: message((shown: number, heads: number) => ({ shown, heads }),
    'The { $shown } highest-ranked of { $heads } heads are drawn.'),
  table: 'Measures of this map',
  tableNote: 'each row: entropy, effective keys, weight on the first key; and the rank',
  rowHead: 'Row',
  measured: {
    entropy: 'Entropy (bits)', effective: 'Effective keys', first: 'On the first key', itself: 'On itself',
    previous: 'On the word before',
  },
  mean: message((rows: number) => ({ rows }), `Mean of ${plural('rows', { one: '1 row', other: '# rows' })}`),
  measuredNote: 'Entropy: 0 bits if all weight is on one key. Effective keys: 2 to the power of the entropy, so a row '
    + 'with the same weight on 4 keys has 4.',
  measuredSelf: 'The first row has no word before it, and its weight on the first key is not counted.',
  rank: message((rank: number, full: number, bound: string, most: number, share: string) =>
    ({ rank, full, bound, most, share }),
  `Rank { $rank } of { $full }: ${plural('rank', { one: '1 singular value is', other: '# singular values are' })} `
    + 'above { $bound } times the largest. That bound is the larger side of the map times the precision of 32-bit '
    + 'numbers. '
    + `${plural('most', { one: 'The largest singular value has', other: 'The # largest singular values have' })} `
    + 'at least { $share } of the sum of all squares.'),
  rankNone: 'Rank 0: every number of the map is 0.',
  rankHead: 'Rank',
  rankMost: message((share: string) => ({ share }), 'Singular values with at least { $share } of all squares'),
  noRank: message((most: number) => ({ most }), 'The rank is computed for maps of up to { $most } rows or columns.'),
  names: {
    previous: 'Previous token', first: 'First token', itself: 'The token itself', same: 'Same token elsewhere',
    induction: 'Induction', entropy: 'Entropy',
  },
  crossed: {
    first: 'In a map between two texts, every row counts.',
    same: 'In a map between two texts, the same token counts wherever the other text has it.',
  },
  what: {
    previous: 'Mean weight on the token directly before.',
    first: 'Mean weight on the first token. A head that puts most of its weight there has a sink.',
    itself: 'Mean weight of a token on itself.',
    same: 'Mean weight on other occurrences of the same token, for tokens that occur more than once.',
    induction: 'Mean weight on the token that followed an earlier copy of the same token, for tokens that have an '
      + 'earlier copy. A head with a high value can copy.',
    entropy: 'Mean entropy of a row: 0 bits when each token attends to one token only.',
  },
};
