// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  title: 'All heads',
  count: message((heads: number) => ({ heads }),
    plural('heads', { one: '# attention map', other: '# attention maps' })),
  find: 'Find heads',
  findHelp: 'Each dot is one head. Choose a measure to score every head.',
  finds: message((layer: number, head: number, value: string, heads: number, measure: string) =>
    ({ layer, head, value, heads, measure }),
  'Ranked first of { $heads } heads: layer { $layer }, head { $head }, { $measure } { $value }.'),
  none: 'With these tokens, no head has a number for this measure.',
  help: 'Arrow keys move, Home and End go to the ends of a layer, digits choose a measure, Enter opens the head.',
  inOrder: 'Sort into one list',
  inPlace: 'Back to layers and heads',
  layerNumber: message((layer: number) => ({ layer }), 'layer { $layer }'),
  place: message((layer: number, head: number) => ({ layer, head }), 'L{ $layer } H{ $head }'),
  placeSaid: message((layer: number, head: number) => ({ layer, head }), 'layer { $layer }, head { $head }'),
  noShares: 'The numbers in these maps are not shares of attention: some are negative, or a row adds up to more than '
    + '1. No measure of heads applies to them.',
  says: message((layer: number, head: number, measure: string, value: string, rank: number, heads: number) =>
    ({ layer, head, measure, value, rank, heads }),
  'Layer { $layer }, head { $head }; { $measure } { $value }, rank { $rank } of { $heads }.'),
  saysNone: message((layer: number, head: number, measure: string) => ({ layer, head, measure }),
    'Layer { $layer }, head { $head }; no number for { $measure }.'),
  highest: message((place: string) => ({ place }), 'highest: { $place }'),
  lowest: message((place: string) => ({ place }), 'lowest: { $place }'),
  noNumber: 'no number',
  bits: message((value: string) => ({ value }), '{ $value } bits'),
  most: message((shown: number, heads: number) => ({ shown, heads }),
    'The { $shown } highest-ranked of { $heads } heads are drawn.'),
  names: {
    previous: 'Previous token', first: 'First token', itself: 'The token itself', same: 'Same token elsewhere',
    induction: 'Induction', entropy: 'Entropy',
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
