// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  outside: 'Außerhalb dessen, was das Modell gelernt hat:',
  outsideMeans: 'Mit einer solchen Eingabe wurde das Modell nie trainiert. Es gibt keine richtige Antwort zum '
    + 'Vergleichen.',
  outsideWords: 'Für jedes andere unbekannte Wort an dieser Position ist seine Antwort dieselbe.',
  outsideForm: `Das Modell kennt jedes Wort, aber dieser Satz ${plural('forms', { one: 'ist nicht von der einen Art',
    other: 'ist von keiner der # Arten' })}, die es gelernt hat. Es gibt keine richtige Antwort zum Vergleichen.`,
  forms: 'Die Arten von Sätzen, die das Modell gelernt hat',
  wrong: 'Diese Antwort ist falsch. Richtig ist „{ $right }“.',
  unable: 'Mit deiner Änderung kann das Modell keine neue Antwort schreiben.',
  unableMeans: 'Die Wörter oben sind seine Antwort von vorher,'
    + ' und die Karte zeigt, worauf jedes von ihnen jetzt achtet.',
};
