// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  help: 'Ziehe eine Grenze oder bewege sie mit den Pfeiltasten. Drücke zwischen zwei Wörter, um eine zu setzen oder '
    + 'wegzunehmen.',
  border: 'Grenze zwischen { $before } und { $after }',
  none: 'Keine Grenze zwischen { $before } und { $after }',
  parts: plural('n', { one: '1 Teil', other: '# Teile' }),
  part: 'Teil { $n }',
  typed: 'Anfang und Ende jedes Teils, gezählt ab 0',
  automatic: 'An Satzzeichen teilen',
  fit: 'Den Wörtern anpassen',
  faults: {
    notSpans: 'Gib Paare wie 0-5 5-11 ein.',
    empty: 'Teil { $n } hat kein Wort: Er beginnt und endet bei { $at }.',
    overlap: 'Teil { $n } beginnt bei { $at }, mitten im Teil davor. Er muss dort beginnen, wo jener endet.',
    gap: 'Zwischen Teil { $last } und Teil { $n } ist eine Lücke: Wort { $at } gehört zu keinem Teil.',
    start: 'Teil { $n } beginnt nicht bei 0: Das erste Wort gehört zu keinem Teil.',
    past: 'Teil { $n } endet bei { $at }, der Text aber bei { $count }.',
    short: 'Die Teile enden bei { $at }, der Text aber bei { $count }: Der Rest gehört zu keinem Teil.',
  },
};
