// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  figure: 'Größe und Titel',
  title: 'Titel der Abbildung',
  none: 'ohne Titel',
  width: 'Breite in Zentimetern',
  asDrawn: 'wie gezeichnet',
  type: 'Schrift in Punkt',
  oneScale: 'Eine Skala für alle',
  sides: 'Seiten des Vergleichs', bothSides: 'A und B', onlySide: 'Nur { $side }',
  compared: 'Verglichene Karten', ofDocument: 'Matrizen des Dokuments',
  panel: 'Titel von „{ $name }“',
  sized: '{ $width } × { $height } cm. Die Schrift hat { $type } pt. Das PNG ist { $pixels } Pixel breit, 300 je Zoll.',
  smallest: 'Die kleinste Schrift hat { $type } pt.',
  tooNarrow: 'Bei dieser Breite haben die Namen keinen Platz. Wähle eine größere Breite oder eine kleinere Schrift.',
  lettering: 'Text im SVG', outlines: 'als Umrisse', text: 'als Text',
  outlinesNote: 'Umrisse sehen in jedem Programm gleich aus, auch wenn dort die Schrift dieser Seite fehlt.',
  textNote: 'Text lässt sich auswählen und suchen. Ein Browser zeigt ihn in der Schrift dieser Seite, die in der Datei '
    + 'steckt. Andere Programme nehmen ihre eigene Schrift; in manchen sind die Breiten anders.',
  pdfNote: 'Für ein PDF öffne das SVG in einem Browser und drucke es in eine Datei.',
  savedAs: 'Gespeichert als „{ $name }“.',
  madeBy: 'Berechnet mit { $program }.',
  seedIs: 'Startwert: { $seed }.',
  sourceOpens: 'Die Quelle ist der Link, der das Dokument öffnet.',
  dataTitle: 'Deine Daten',
  data: ['Alles rechnet dein Browser. Deine Wörter, Zahlen und Modelle werden nirgendwohin gesendet.',
    'Auf deinem Computer gespeichert: Modelle, die du öffnest, Trainings, trainierte Gewichte und Einstellungen.',
    'Zum Löschen entfernst du im Browser die Daten dieser Website.',
    'Das Dokument eines Links steht hinter dem #. Diesen Teil senden Browser an keinen Server.',
    'Nach dem ersten Besuch läuft die Seite offline; große Modelle auch, sobald sie geladen sind.'],
  citeTitle: 'So zitierst du diese Seite:',
  cite: '{ $name }, Version { $version }.',
  licence: 'Lizenz: { $id }',
  leftOut: `In der Datei ${plural('n', { one: 'fehlt', other: 'fehlen' })} { $list }: zu groß für eine Datei.`,
  missed: `Die Datei enthält { $list } nicht: ${
    either('why', { crashed: 'Die Engine ist abgestürzt', unloaded: 'Die Engine ließ sich nicht laden',
      stopped: 'Die Berechnung wurde abgebrochen' })}. Speichere noch einmal, um es erneut zu versuchen.`,
  bounds: 'Gib eine Zahl von { $least } bis { $most } ein.',
};
