// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  hidden: `${either('sides', { A: 'A: in A verdeckt', B: 'B: in B verdeckt', AB: 'AB: in beiden verdeckt' })}, ${
    plural('cells', { one: '1 Zelle', other: '# Zellen' })}`,
  rowLargest: 'die { $shown } von { $all } Keys mit den größten Gewichten in A oder B, die größten zuerst',
  lastShown: 'Die Karte von { $side } ist die letzte, die sich berechnen ließ.',
  without: 'ohne { $name }',
};
