// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  looksUp: `Dieses Modell schlägt Wörter in seiner eigenen Liste von ${
    plural('n', { one: '1 Wort', other: '# Wörtern' })} nach.`,
  numbersUnused: 'Es liest nur die Wörter dieser Tabelle. Die Zahlen werden nicht verwendet.',
  noWords: 'Diese Tabelle hat Zahlen, aber keine Wörter, und dieses Modell liest nur Wörter. '
    + 'Ergänze eine Spalte mit den Wörtern.',
  weightsMissing: 'Dieses Dokument braucht die trainierten Gewichte „{ $names }“. Sie sind weder in der Datei noch in '
    + 'diesem Browser. Bitte den Absender um eine Datei, die sie enthält, oder trainiere das Modell noch einmal.',
};
