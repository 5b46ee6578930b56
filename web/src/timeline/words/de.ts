// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  time: 'Schritt für Schritt',
  hops: 'Sprung für Sprung',
  countTime: `${plural('n', { one: '1 Schritt',
    other: '# Schritte' })}: womit gefragt wird, wohin er blickt, was er findet`,
  countHops: `${plural('n', { one: '1 Sprung',
    other: '# Sprünge' })}: Die Frage wird mit dem, was gefunden wurde, noch einmal gestellt`,
  step: 'Schritt { $n } von { $of }',
  hop: 'Sprung { $n }',
  looks: '{ $who } blickt am meisten auf { $where }: { $weight }',
  stays: 'Jeder Sprung blickt am meisten auf { $where }.',
  moves: 'Von Sprung zu Sprung blickt er am meisten auf { $path }.',
  help: 'Pfeiltasten gehen von Schritt zu Schritt, Pos1 und Ende an die Enden.',
  scrub: 'Der Schritt, der angesehen wird',
  previous: 'Voriger Schritt',
  next: 'Nächster Schritt',
  play: 'Die Schritte abspielen',
  pause: 'Anhalten',
  path: 'Der Weg: eine Zeile je Sprung, Kreise so groß wie die Gewichte',
  then: ' → ',
};
