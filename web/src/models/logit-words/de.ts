// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  of: 'Logit von',
  minus: 'minus Logit von',
  nothing: 'keinem Wort',
  quoted: '„{ $token }“',
  what: 'Ein Logit ist die Zahl, aus der das Softmax eine Wahrscheinlichkeit macht. Es ist eine Summe: Das Embedding, '
    + 'jeder Kopf und jede Feed-Forward-Schicht tragen dazu bei. Die Zahl eines Teils ist seine direkte Wirkung: was '
    + 'er für das letzte Token schreibt, geteilt durch die Skala der letzten Norm für diesen Text, mal die Spalte des '
    + 'Wortes in der Unembedding-Matrix. Was ein Teil in späteren Schichten ändert, zählt zu ihnen.',
  whyMinus: 'Dieselbe Zahl zu allen Logits addiert ändert keine Wahrscheinlichkeit. Vergleiche deshalb zwei Wörter, um '
    + 'zu sehen, welche Teile eines davon bevorzugen.',
  embedding: 'Embedding des letzten Tokens',
  head: 'Schicht { $layer }, Kopf { $head }',
  attention: 'Schicht { $layer }, Attention',
  feedForward: 'Schicht { $layer }, Feed-Forward',
  biases: 'Biases',
  toHead: 'Zeige die Karte von: { $head }',
  sum: `Summe ${plural('parts', { one: 'des einen Teils', other: 'aller # Teile' })}: { $value }.`,
  logit: 'Logit, das das Modell berechnet hat: { $value }.',
  difference: 'Differenz der Logits, die das Modell berechnet hat: { $value }.',
  largest: plural('shown', { one: 'Der Teil mit dem größten Betrag.', other: 'Die # Teile mit den größten Beträgen.' }),
  all: plural('parts', { one: '1 Teil zeigen', other: 'Alle # Teile zeigen' }),
  fewer: 'Nur die größten zeigen',
  computing: 'Wird berechnet …',
  none: 'Die Summe der Teile dieses Modells ist nicht sein Logit, oder die Aktivierungen sind int8. Deshalb hat kein '
    + 'Teil eine Zahl.',
  left: 'Dieser Text ist zu lang: Sein Ergebnis lässt Zahlen weg, die für die Teile nötig sind. Nimm einen kürzeren '
    + 'Text.',
};
