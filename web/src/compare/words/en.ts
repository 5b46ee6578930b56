// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

export const words = {
  hidden: message((sides: string, cells: number) => ({ sides, cells }), `${either('sides', { A: 'A: hidden in A',
    B: 'B: hidden in B', AB: 'AB: hidden in both' })}, ${plural('cells', { one: '1 cell', other: '# cells' })}`),
  rowLargest: message((shown: number, all: number) => ({ shown, all }),
    'the { $shown } of { $all } keys with the largest weights in A or B, largest first'),
  lastShown: message((side: string) => ({ side }), 'The map of { $side } is the last one that could be computed.'),
  without: message((name: string) => ({ name }), 'without { $name }'),
};
