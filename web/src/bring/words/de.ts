// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  forms: 'Lesbare Formate',
  text: 'Wörter: ein Satz oder eine Liste wie',
  table: 'Eine Matrix: je Zeile eine Zeile Zahlen. Die erste Spalte darf die Zeilen benennen.',
  json: 'Eine Matrix als JSON:',
  named: 'Queries, Keys und Values: ein Objekt mit den Namen Q, K, V oder query, key, value:',
  found: 'Matrizen: { $given }',
  notMatrix: '„{ $name }“ ist keine Matrix: Schreibe für jede Zeile eine Liste von Zahlen.',
  otherName: '„{ $name }“ ist kein Name einer Eingabe. Nimm die Namen query, key und value oder Q, K und V.',
  twice: 'Die Matrix von „{ $name }“ ist zweimal angegeben.',
  otherRows: 'Jeder Key braucht einen Value: { $keys } Zeilen Keys und { $values } Zeilen Values gefunden.',
  becomesBasic: 'Die Art der Query wird „Einfach“; sie liest diese Matrizen ohne Projektionen.',
  notRead: 'Dieses Dokument liest „{ $name }“ nicht, sondern { $read }. Wähle zuerst die Query-Art „Einfach“.',
  looksUp: `Dieses Modell schlägt Wörter in seiner eigenen Liste von ${
    plural('n', { one: '1 Wort', other: '# Wörtern' })} nach.`,
  numbersUnused: 'Es liest nur die Wörter dieser Tabelle. Die Zahlen werden nicht verwendet.',
  noWords: 'Zu diesen Zahlen gibt es keine Wörter, und dieses Modell liest nur Wörter. Nimm eine Tabelle mit einer '
    + 'Spalte voller Wörter.',
  which: 'Dieses Modell liest Wörter. Was möchtest du verwenden?',
  theWords: 'Die Wörter der Tabelle, in diesem Modell',
  theNumbers: 'Die Zahlen: Jede Zeile achtet auf alle Zeilen, und nichts ist gelernt',
  numbersAlone: 'Dieses Modell liest nur Wörter, deshalb werden die Zahlen für sich geöffnet: Jede Zeile achtet '
      + 'auf alle Zeilen, und nichts ist gelernt. „Rückgängig“ holt dieses Modell zurück.',
  numbersTitle: 'Eine Tabelle mit Zahlen',
  weightsMissing: 'Dieses Dokument braucht die trainierten Gewichte „{ $names }“. Sie sind weder in der Datei noch in '
    + 'diesem Browser. Bitte den Absender um eine Datei, die sie enthält, oder trainiere das Modell noch einmal.',
};
