// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  hidden: `${either('sides', { A: 'A: in A verdeckt', B: 'B: in B verdeckt', AB: 'AB: in beiden verdeckt' })}, ${
    plural('cells', { one: '1 Zelle', other: '# Zellen' })}`,
  rowLargest: 'die { $shown } von { $all } Keys mit den größten Gewichten in A oder B, die größten zuerst',
  lastShown: 'Die Karte von { $side } ist die letzte, die sich berechnen ließ.',
  without: 'ohne { $name }',
  attention: 'Attention',
  head: 'Kopf',
  sameModel: 'A und B sind noch dasselbe Modell. Ändere eines davon mit den Reglern: Füge zum Beispiel ein Fenster zu '
    + 'seinen Masken hinzu, oder schalte unten einen Kopf aus. Die andere Seite behält das Modell, wie es jetzt ist.',
  otherMaps: 'Diese Karte ist in A und B gleich. Die erste, die sich unterscheidet, ist in „{ $module }“.',
  nextWords: 'Nächste Wörter von A und B',
  token: 'Token',
  computing: 'Wird berechnet …',
  moved: 'Mindestens { $value } der Wahrscheinlichkeit liegt in A und B auf verschiedenen Wörtern '
    + '(Totalvariation; 1 ist '
    + 'alles).',
};
