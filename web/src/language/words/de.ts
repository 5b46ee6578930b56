// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

const head = (says: string): string => `Schicht { $layer }, Kopf { $number }: ${says}`;

export const words: Translated<typeof english> = {
  title: 'Ein kleines Modell, trainiert mit Jane Austen',
  who: 'Wir haben dieses Modell mit vier ihrer Romane trainiert, die gemeinfrei sind. Der Text stammt aus dem '
    + 'Debian-Paket',
  invite: 'Es hat { $numbers } Millionen Parameter und schreibt: Tippe den Anfang eines englischen Satzes.',
  thumbnails: 'Das Modell hat diese { $heads } Attention-Karten von „{ $text }“ berechnet.',
  open: 'Öffnen, { $size } MB',
  lost: 'Das Modell konnte nicht geladen werden. Prüfe die Verbindung und versuche es noch einmal.',
  tryIt: 'Probiere es aus',
  tryText: 'Tippe den Anfang eines englischen Satzes und lass das Modell weiterschreiben.',
  measured: 'Es hat { $numbers } Gewichte und lernte { $steps } Schritte lang. In { $passages } Abschnitten, '
    + 'die es nie gelesen '
    + 'hat, sagt es { $right } der Tokens vorher; eine Tabelle der Paare benachbarter Tokens sagt { $pairs } '
    + 'vorher. Es braucht { $bits } Bit pro Zeichen.',
  heads: 'Worauf seine Köpfe achten',
  looks: {
    itself: head('{ $weight } seines Gewichts liegt auf dem Token selbst, im Mittel über { $rows } Zeilen dieser '
      + 'Abschnitte.'),
    before: head('{ $weight } seines Gewichts liegt auf dem Token davor, im Mittel über { $rows } Zeilen dieser '
      + 'Abschnitte.'),
    first: head('{ $weight } seines Gewichts liegt auf dem ersten Token, im Mittel über { $rows } Zeilen dieser '
      + 'Abschnitte. Dieses Token enthält wenig Information, also legen Köpfe dort Gewicht ab, das sie nirgends sonst '
      + 'brauchen.'),
    same: head('{ $weight } seines Gewichts liegt auf früheren Positionen desselben Tokens, im Mittel über '
      + '{ $rows } Zeilen dieser Abschnitte, deren Token schon vorkam.'),
    after: head('{ $weight } seines Gewichts liegt auf dem Token, das auf ein früheres Vorkommen des jetzigen Tokens '
      + 'folgte, im Mittel über { $rows } Zeilen dieser Abschnitte.'),
  },
  fails: 'Wo es versagt',
  looksNot: {
    before: 'Kein Kopf gibt dem Token davor mehr als { $weight }.',
    same: 'Kein Kopf gibt früheren Positionen desselben Tokens mehr als { $weight }.',
    after: 'Wo ein Token wiederkehrt, gibt kein Kopf dem Token, das beim ersten Mal folgte, mehr als { $weight }. '
      + 'Das Modell hat also keinen Induktionskopf.',
  },
  repeated: 'Wird eine Wortliste wiederholt, so sagt das Modell { $right } der Tokens der Wiederholung richtig vorher.',
  example: 'Es schreibt Sätze ohne Plan. Nach „… { $begins }“ geht das Buch mit „{ $book } …“ weiter, das Modell aber '
    + 'mit '
      + '„{ $goesOn } …“.',
  oneSeed: 'All das wurde an einem einzigen Training gemessen. Andere Startwerte wurden nicht versucht.',
  seeds: `In { $same } von ${plural('tried', { one: '1 weiteren Training', other: '# weiteren Trainings' })} mit `
      + 'anderen Startwerten achten Köpfe auf dasselbe.',
};
