// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  time: 'Schritt für Schritt',
  hops: 'Sprung für Sprung',
  countTime: `${plural('n', { one: '1 Schritt',
    other: '# Schritte' })}: die Query, worauf sie achtet, und das Ergebnis`,
  countHops: `${plural('n', { one: '1 Sprung',
    other: '# Sprünge' })}: Jeder Sprung fragt noch einmal, mit dem vorigen Ergebnis`,
  step: 'Schritt { $n } von { $of }',
  hop: 'Sprung { $n }',
  looks: '{ $who } achtet am meisten auf { $where }: { $weight }',
  stays: 'Jeder Sprung achtet am meisten auf { $where }.',
  moves: 'Von Sprung zu Sprung wandert die Attention: { $path }.',
  help: 'Pfeiltasten gehen von Schritt zu Schritt, Pos1 geht zum ersten Schritt, Ende zum letzten.',
  scrub: 'Gezeigter Schritt',
  previous: 'Voriger Schritt',
  next: 'Nächster Schritt',
  play: 'Die Schritte abspielen',
  pause: 'Anhalten',
  path: 'Der Weg: eine Zeile je Sprung; ein größerer Kreis ist ein größeres Gewicht',
  then: ' → ',
};
