// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

export const words = {
  hidden: message((sides: string, cells: number) => ({ sides, cells }), `${either('sides', { A: 'A: hidden in A',
    B: 'B: hidden in B', AB: 'AB: hidden in both' })}, ${plural('cells', { one: '1 cell', other: '# cells' })}`),
  rowLargest: message((shown: number, all: number) => ({ shown, all }),
    'the { $shown } of { $all } keys with the largest weights in A or B, largest first'),
  lastShown: message((side: string) => ({ side }), 'The map of { $side } is the last one that could be computed.'),
  without: message((name: string) => ({ name }), 'without { $name }'),
  attention: 'Attention',
  head: 'Head',
  sameModel: 'A and B are still the same model. Change one of them in the controls: for example, add a window to its '
    + 'masks, or switch off a head below. The other side keeps the model as it is now.',
  otherMaps: message((module: string) => ({ module }), 'This map is the same in A and B. The first one that '
    + 'differs is in “{ $module }”.'),
  nextWords: 'Next words of A and B',
  token: 'Token',
  computing: 'Computing …',
  moved: message((value: string) => ({ value }),
    'At least { $value } of the probability is on different words in A and B (total variation; 1 is everything).'),
};
