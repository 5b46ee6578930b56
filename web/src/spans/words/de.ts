// SPDX-License-Identifier: Apache-2.0
import type { words as en } from './en.ts';

export const words: typeof en = {
  help: 'Ziehe eine Grenze oder bewege sie mit den Pfeiltasten. Drücke zwischen zwei Wörter, um eine zu setzen oder wegzunehmen.',
  border: (before, after) => `Grenze zwischen ${before} und ${after}`,
  none: (before, after) => `Keine Grenze zwischen ${before} und ${after}`,
  parts: (n) => (n === 1 ? '1 Teil' : `${n} Teile`),
  part: (n) => `Teil ${n}`,
  typed: 'Von-bis jedes Teils, gezählt ab 0',
  automatic: 'Nach Satzzeichen',
  fit: 'Den Wörtern anpassen',
  faults: {
    notSpans: () => 'Erwartet werden Paare wie 0-5 5-11, gefunden wurde etwas anderes.',
    empty: (n, at) => `Teil ${n} hat kein Wort: Er beginnt und endet bei ${at}.`,
    overlap: (n, at) => `Teil ${n} beginnt bei ${at}, mitten im Teil davor. Erwartet wird das Ende von jenem.`,
    gap: (n, at) => `Zwischen Teil ${n - 1} und Teil ${n} ist eine Lücke: Wort ${at} gehört zu keinem.`,
    start: (n) => `Teil ${n} beginnt nicht bei 0: Das erste Wort gehört zu keinem.`,
    past: (n, at, count) => `Teil ${n} endet bei ${at}, hinter dem letzten von ${count}.`,
    short: (_, at, count) => `Die Teile enden bei ${at}, es gibt aber ${count}: Der Rest gehört zu keinem.`,
  },
};
