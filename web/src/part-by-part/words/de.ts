// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  choose: 'Teil für Teil vergleichen mit',
  about: 'Stellt zwei Systeme nebeneinander: ihre Teile, Einstellungen und Formen; Unterschiede sind markiert.',
  none: 'Ein System wählen',
  opened: '{ $title }, wie geöffnet',
  same: 'in beiden gleich',
  differs: 'verschieden',
  onlyA: 'nur in A',
  onlyB: 'nur in B',
  nothing: 'keine',
  allSame: '{ $a } und { $b } haben dieselben Teile.',
  heading: `{ $a } und { $b }: ${plural('differ', { one: '1 von { $parts } Teilen ist verschieden',
    other: '# von { $parts } Teilen sind verschieden' })}.`,
  lead: 'Wähle einen verschiedenen Teil, um zu lesen, was er tut. Du kannst auch A diesen Teil geben und den Rest von '
    + 'A behalten; dann ändert sich nur die Karte.',
  inSome: 'in { $count } von { $of }',
  times: '× { $count }',
  give: 'A diesen Teil geben',
  onlyDifferences: 'Nur verschiedene Teile zeigen',
  all: 'Alle Teile zeigen',
  map: '{ $side }: { $module }',
  layer: 'Karte',
  on: 'an',
  off: 'aus',
  column: 'nichts',
  columnNote: 'Die erste Spalte ist das Gewicht, das kein Key bekommen hat.',
  noMap: 'Diese Seite hat hier keine Karte.',
  failed: '„{ $title }“ kann hier nicht berechnet werden: { $why }',
  words: 'Beide lesen dieselben Wörter.',
  otherWords: 'B liest seine eigenen Wörter, weil es die von A nicht kennt.',
  untrained: 'untrainiert',
  listed: 'Teile nebeneinander',
};
