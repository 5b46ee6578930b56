// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  title: 'Alle Köpfe',
  count: plural('heads', { one: '# Attention-Karte', other: '# Attention-Karten' }),
  find: 'Köpfe finden',
  findHelp: 'Jeder Punkt ist ein Kopf. Wähle ein Maß, um jeden Kopf zu bewerten.',
  finds: 'Auf Rang 1 von { $heads } Köpfen: { $place }, { $measure } { $value }.',
  none: 'Mit diesen Tokens hat kein Kopf eine Zahl für dieses Maß.',
  frames: `${plural('best', { one: 'Gestrichelter Rahmen: der Kopf auf Rang 1.',
    other: 'Gestrichelte Rahmen: die # Köpfe auf den ersten Rängen.' })} Durchgezogener Rahmen: der Kopf, der groß `
    + 'gezeigt wird. Schichten heißen wie in der Struktur; Köpfe werden ab 1 gezählt.',
  help: 'Pfeiltasten bewegen, Pos1 und Ende gehen an die Enden einer Schicht, Ziffern wählen ein Maß, Enter öffnet '
    + 'den Kopf.',
  inOrder: 'In eine Liste ordnen',
  inPlace: 'Zurück zu Schichten und Köpfen',
  toLayer: '{ $layer } zeigen',
  switchOff: 'Diesen Kopf abschalten',
  switchOn: 'Wieder einschalten',
  switchAllOff: 'Kopf { $head } in allen { $layers } Schichten abschalten',
  switchAllOn: 'In allen { $layers } Schichten wieder einschalten',
  off: 'Dieser Kopf ist abgeschaltet: Seine Ausgabe wird auf 0 gesetzt.',
  toNext: 'Zeige, wie sich die nächsten Wörter geändert haben',
  isOff: 'aus',
  head: 'Kopf { $head }',
  place: '{ $layer }, Kopf { $head }',
  sharedKeys: `Die { $heads } Köpfe einer Schicht ${plural('keys', { one: 'lesen alle dieselben Keys und Values.',
    other: 'teilen sich # Key-Value-Köpfe: benachbarte Köpfe lesen dieselben Keys und Values.' })}`,
  parameters: plural('parameters', { one: 'insgesamt # Parameter', other: 'insgesamt # Parameter' }),
  parametersNote: 'Eine Matrix, die zwei Module teilen, zählt einmal.',
  noShares: 'Die Zahlen in diesen Karten sind keine Anteile am Gewicht einer Zeile: Manche sind negativ, oder eine '
    + 'Zeile hat eine Summe über 1. Für sie gibt es kein Maß für Köpfe.',
  says: '{ $place }; { $measure } { $value }, Rang { $rank } von { $heads }.',
  saysNone: '{ $place }; keine Zahl für { $measure }.',
  highest: 'höchster: { $place }',
  lowest: 'niedrigster: { $place }',
  noNumber: 'keine Zahl',
  lacks: {
    tokens: 'Die Tokens sind nicht bekannt.',
    self: 'Queries und Keys sind verschiedene Tokens.',
    second: 'Es gibt nur ein Token.',
    repeats: 'Kein Token kommt zweimal vor.',
    earlier: 'Kein Token kommt zweimal mit einem anderen dazwischen vor.',
    shared: 'Kein Token der Queries ist unter den Keys.',
  },
  lacking: `${plural('heads', { one: '1 Kopf hat keine Zahl', other: '# Köpfe haben keine Zahl' })}. { $why }`,
  bits: '{ $value } Bit',
  most: 'Gezeichnet sind die { $shown } höchsten von { $heads } Köpfen.',
  table: 'Maße dieser Karte',
  tableNote: 'jede Zeile: Entropie, effektive Keys, Gewicht auf dem ersten Key; und der Rang',
  rowHead: 'Zeile',
  measured: {
    entropy: 'Entropie (Bit)', effective: 'Effektive Keys', first: 'Auf dem ersten Key', itself: 'Auf sich selbst',
    previous: 'Auf dem Wort davor',
  },
  mean: `Mittel von ${plural('rows', { one: '1 Zeile', other: '# Zeilen' })}`,
  measuredNote: 'Entropie: 0 Bit, wenn alles Gewicht auf einem Key liegt. Effektive Keys: 2 hoch Entropie, eine Zeile '
    + 'mit gleichem Gewicht auf 4 Keys hat also 4.',
  measuredSelf: 'Die erste Zeile hat kein Wort davor, und ihr Gewicht auf dem ersten Key zählt nicht.',
  rank: `Rang { $rank } von { $full }: ${plural('rank', { one: '1 Singulärwert liegt',
    other: '# Singulärwerte liegen' })} über dem { $bound }-Fachen des größten. Diese Schranke ist die längere Seite `
    + `der Karte mal die Genauigkeit von 32-Bit-Zahlen. ${plural('most', { one: 'Der größte Singulärwert hat',
      other: 'Die # größten Singulärwerte haben' })} mindestens { $share } der Summe aller Quadrate.`,
  rankNone: 'Rang 0: Jede Zahl der Karte ist 0.',
  rankHead: 'Rang', rankMost: 'Singulärwerte mit mindestens { $share } aller Quadrate',
  noRank: 'Der Rang wird für Karten mit bis zu { $most } Zeilen oder Spalten berechnet.',
  names: {
    previous: 'Vorheriges Token', first: 'Erstes Token', itself: 'Das Token selbst', same: 'Gleiches Token anderswo',
    induction: 'Induktion', entropy: 'Entropie',
  },
  crossed: {
    first: 'In einer Karte zwischen zwei Texten zählt jede Zeile.',
    same: 'In einer Karte zwischen zwei Texten zählt dasselbe Token überall, wo der andere Text es hat.',
  },
  what: {
    previous: 'Mittleres Gewicht auf dem Token direkt davor.',
    first: 'Mittleres Gewicht auf dem ersten Token. Ein Kopf, der dort das meiste Gewicht hat, hat eine Senke.',
    itself: 'Mittleres Gewicht eines Tokens auf sich selbst.',
    same: 'Mittleres Gewicht auf anderen Vorkommen desselben Tokens, für Tokens, die mehrmals vorkommen.',
    induction: 'Mittleres Gewicht auf dem Token, das auf ein früheres Vorkommen desselben Tokens folgte, für '
      + 'Tokens mit einem früheren Vorkommen. Ein Kopf mit hohem Wert kann kopieren.',
    entropy: 'Mittlere Entropie einer Zeile: 0 Bit, wenn jedes Token nur auf ein Token achtet.',
  },
};
