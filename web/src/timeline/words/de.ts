// SPDX-License-Identifier: Apache-2.0
import type { words as en } from './en.ts';

export const words: typeof en = {
  time: 'Schritt für Schritt',
  hops: 'Sprung für Sprung',
  countTime: (n) => `${n} Schritte: womit gefragt wird, wohin er blickt, was er findet`,
  countHops: (n) => `${n} Sprünge: Die Frage wird mit dem, was gefunden wurde, noch einmal gestellt`,
  step: (n, of) => `Schritt ${n} von ${of}`,
  hop: (n) => `Sprung ${n}`,
  looks: (who, where, weight) => `${who} blickt am meisten auf ${where}: ${weight}`,
  stays: (where) => `Jeder Sprung blickt am meisten auf ${where}.`,
  moves: (path) => `Von Sprung zu Sprung blickt er am meisten auf ${path}.`,
  help: 'Pfeiltasten gehen von Schritt zu Schritt, Pos1 und Ende an die Enden.',
  scrub: 'Der Schritt, der angesehen wird',
  previous: 'Voriger Schritt',
  next: 'Nächster Schritt',
  play: 'Die Schritte abspielen',
  pause: 'Anhalten',
  path: 'Der Weg: eine Zeile je Sprung, Kreise so groß wie die Gewichte',
  then: ' → ',
};
