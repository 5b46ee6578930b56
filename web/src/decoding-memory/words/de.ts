// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Was für das nächste Wort gespeichert bleiben muss',
  about: 'Damit das Programm Wort für Wort rechnen kann, braucht es die Keys und Values früherer Wörter oder den '
    + 'Zustand eines rekurrenten Rechenkerns.',
  refused: '„{ $name }“ kann nicht Wort für Wort schreiben: { $why }.',
  causal: 'Mit einer kausalen Maske kann es das: Die Zahlen unten gelten für „{ $name }“ mit dieser Maske.',
  addMask: 'Füge eine kausale Maske hinzu.',
  addCausal: 'Kausale Maske hinzufügen',
  nothing: '„{ $name }“ lässt sich nur bis „{ $until }“ Wort für Wort berechnen, und dieser Teil speichert nichts. '
    + 'Alles nach „{ $until }“ braucht alle Wörter auf einmal oder hat keine Zeile je Wort.',
  curve: 'Gespeichert nach n Wörtern',
  bytes: 'Bytes',
  inBytes: '{ $count } Bytes',
  after: 'nach',
  words: plural('n', { one: '1 Wort', other: '# Wörtern' }),
  madeOf: 'Was „{ $name }“ speichert',
  module: 'Modul',
  tensor: 'Tensor',
  earlier: `die Zeile ${plural('back', { one: '1 Wort', other: '# Wörter' })} zuvor, für`,
  from: 'berechnet aus',
  rowsUnnamed: 'Zeilen ohne Namen',
  stateUnnamed: 'ein Zustand ohne Namen',
  numbers: 'Zahlen',
  grows: 'Für',
  fixed: 'alle Wörter zusammen',
  eachWord: 'jedes Wort',
  rowsAtMost: `jedes von höchstens ${plural('rows', { one: '1 Wort', other: '# Wörtern' })}`,
  until: 'Gezählt bis zu „{ $name }“, dem letzten Ergebnis mit einer Zeile je Wort.',
  written: 'Gezählt werden nur die Wörter von „{ $over }“. Ergebnisse, die einmal aus „{ $read }“ berechnet werden, '
    + 'bleiben auch gespeichert, sind aber nicht mitgezählt.',
  positions: `„{ $name }“ hat gelernte Positionen für ${
    plural('most', { one: '1 Wort', other: '# Wörter' })}, also enden seine Zahlen dort.`,
  note: 'Jede Zahl braucht 4 Bytes. Die ersten Wörter sind einzeln gezählt; danach wird dasselbe Wachstum '
    + 'angenommen.',
};
