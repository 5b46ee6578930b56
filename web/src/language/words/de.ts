// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

const head = (says: string): string => `Schicht { $layer }, Kopf { $number }: ${says}`;

export const words: Translated<typeof english> = {
  title: 'Ein kleines Modell von Jane Austen',
  who: 'Hier an vier ihrer Romane trainiert, die gemeinfrei sind. Der Text stammt aus dem Debian-Paket',
  invite: 'Es hat { $numbers } Millionen Gewichte und schreibt: Tippe den Anfang eines englischen Satzes.',
  thumbnails: 'Berechnet: die { $heads } Attention-Karten von „{ $text }“.',
  open: 'Öffnen, { $size } MB',
  lost: 'Das Modell konnte nicht geladen werden. Prüfe die Verbindung und versuche es noch einmal.',
  tryIt: 'Probier es aus',
  tryText: 'Tippe den Anfang eines englischen Satzes und lass das Modell weiterschreiben.',
  measured: 'Es hat { $numbers } Gewichte und lernte { $steps } Schritte lang. In { $passages } Abschnitten, '
    + 'die es nie gelesen '
    + 'hat, sagt es { $right } der Textstücke vorher; eine Tabelle, welches Stück auf welches folgt, sagt { $pairs } '
    + 'vorher. Es braucht { $bits } Bit pro Zeichen.',
  heads: 'Worauf seine Köpfe achten',
  looks: {
    itself: head('{ $weight } seines Gewichts auf dem Stück selbst, im Mittel über { $rows } Zeilen dieser '
      + 'Abschnitte.'),
    before: head('{ $weight } seines Gewichts auf dem Stück davor, im Mittel über { $rows } Zeilen dieser '
      + 'Abschnitte.'),
    first: head('{ $weight } seines Gewichts auf dem ersten Stück, was wenig sagt: ein Platz für Gewicht, das nicht '
      + 'gebraucht wird (im Mittel über { $rows } Zeilen dieser Abschnitte).'),
    same: head('{ $weight } seines Gewichts auf früheren Stellen desselben Stücks, wo es welche gibt ({ $rows } '
      + 'Zeilen dieser Abschnitte).'),
    after: head('{ $weight } seines Gewichts auf dem, was früher auf dasselbe Stück folgte ({ $rows } Zeilen dieser '
      + 'Abschnitte).'),
  },
  fails: 'Wo es versagt',
  looksNot: {
    before: 'Kein Kopf gibt dem Stück davor mehr als { $weight }.',
    same: 'Kein Kopf gibt früheren Stellen desselben Stücks mehr als { $weight }.',
    after: 'Kein Kopf gibt dem, was früher auf dasselbe Stück folgte, mehr als { $weight }; einen '
    + 'Induktionskopf hat es '
        + 'also nicht.',
  },
  repeated: 'Eine Wortliste, die zweimal kommt, sagt es beim zweiten Mal an { $right } der Stellen vorher.',
  example: 'Es schreibt Sätze ohne Plan. Nach „… { $begins }“ geht das Buch weiter mit „{ $book } …“, das Modell mit '
      + '„{ $goesOn } …“.',
  oneSeed: 'All das wurde an einem Training gemessen. Andere Startwerte wurden nicht versucht.',
  seeds: `In { $same } von ${plural('tried', { one: '1 weiteren Training', other: '# weiteren Trainings' })} mit `
      + 'anderen Startwerten achten Köpfe auf dasselbe.',
};
