// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  learned: 'Was es gelernt hat',
  fails: 'Wo es scheitert',
  short: '{ $right } richtig, { $size } kB',
  trained: 'Es wurde auf „{ $task }“ in { $steps } Schritten trainiert. { $right } der Tokens in seinen '
    + 'Antworten auf { $heldOut } zurückgehaltene Beispiele sind richtig. Es hat { $numbers } Gewichte ({ $size } kB).',
  percent: '{ $n }\u00a0%',
  inMap: 'In der Attention-Karte von „{ $module }“',
  inHead: 'In Kopf { $head } von „{ $module }“',
  rows: { answer: 'die Zeile zu', only: 'die einzige Zeile zur Antwort', last: 'die letzte Zeile zur Antwort',
    mean: 'das Mittel aller Zeilen zur Antwort', compared: 'die Zeile zum Wort des zweiten Satzes' },
  row: 'Zeile { $row } zur Antwort',
  overFeatures: '{ $at } (Mittel über alle Merkmale)',
  verdicts: { shows: 'Die Attention-Karte zeigt, woher die Antwort kommt.',
    often: 'Die Attention-Karte zeigt oft, woher die Antwort kommt.',
    not: 'Die Attention-Karte zeigt nicht, woher die Antwort kommt.' },
  comparing: { shows: 'Die Attention-Karte zeigt, welche Wörter verglichen werden.',
    often: 'Die Attention-Karte zeigt oft, welche Wörter verglichen werden.',
    not: 'Die Attention-Karte zeigt nicht, welche Wörter verglichen werden.' },
  position: '„{ $word }“ an Position { $at }',
  region: 'Bereich { $at } des Bildes',
  example: '{ $at } legt { $row } „{ $word }“ { $weight } des Gewichts auf die richtige Position: { $meant }.',
  elsewhere: 'Das größte Gewicht, { $weight }, liegt hier: { $most }.',
  often: 'In { $n } zurückgehaltenen Beispielen liegt das größte Gewicht bei { $share } der Zeilen auf einer richtigen '
    + 'Position; mit untrainierten Gewichten bei { $untrained }.',
  lastHop: { shows: 'Die Attention-Karte von Sprung { $hop } zeigt, woher die Antwort kommt.',
    often: 'Die Attention-Karte von Sprung { $hop } zeigt oft, woher die Antwort kommt.',
    not: 'Kein Sprung zeigt, woher die Antwort kommt.' },
  twoFacts: '{ $n } der zurückgehaltenen Fragen brauchen zwei Fakten: Der erste führt zum zweiten, in dem die Antwort '
    + 'steht.',
  hop: 'Das größte Gewicht von Sprung { $hop } liegt bei { $first } dieser Fragen im ersten Fakt, bei { $second } '
    + 'im zweiten.',
  guided: 'Das Training hat Gewicht auf den richtigen Positionen belohnt.',
  noMap: 'Die Aufgabe sagt nicht, welche Positionen für die Attention-Karten dieses Systems richtig sind.',
  wrong: 'Es beantwortet { $count } von { $heldOut } zurückgehaltenen Beispielen falsch. Zum Beispiel antwortet es '
    + 'auf „{ $source }“ mit „{ $written }“ statt mit „{ $right }“.',
  wrongCount: 'Es beantwortet { $count } von { $heldOut } zurückgehaltenen Beispielen falsch.',
  longer: 'Es scheitert an Größen außerhalb seines Trainings. „{ $title }“ war im Training { $learned }; mit '
    + '{ $tried } sind { $right } der Tokens richtig.',
  longerToo: 'Es funktioniert auch mit Größen außerhalb seines Trainings. „{ $title }“ war im Training { $learned }; '
    + 'mit { $tried } sind { $right } der Tokens richtig.',
  none: 'In { $n } zurückgehaltenen Beispielen wurde kein Fehler gefunden.',
  oneSeed: 'Das alles wurde an einem einzigen Training gemessen. Andere Startwerte wurden nicht versucht.',
  seedsAgree: `In { $same } von { $tried } Trainings mit anderen Startwerten sind etwa gleich viele Tokens ${either(
    'by', { map: 'richtig, und das Urteil über die Attention-Karte ist dasselbe.',
      hops: 'richtig, und jeder Sprung liest denselben Fakt.', none: 'richtig.' })}`,
  seedsDiffer: `Andere Startwerte führen zu anderen Ergebnissen: Nur in { $same } von { $tried } weiteren Trainings `
    + `sind ${
    ''}etwa gleich viele Tokens ${either('by', { map: 'richtig und ist das Urteil über die Attention-Karte dasselbe.',
      hops: 'richtig und liest jeder Sprung denselben Fakt.', none: 'richtig.' })}`,
  tried: 'Seine Gewichte sind zufällig, weil das Training misslang: Nach { $steps } Schritten auf „{ $task }“ waren '
    + 'nur { $right } der Tokens in { $heldOut } zurückgehaltenen Beispielen richtig.',
  noLoss: 'Seine Gewichte sind zufällig, weil das System hier keinen Verlust hat, den ein Training senken könnte.',
  noTask: 'Seine Gewichte sind zufällig, weil hier keine Aufgabe seine Eingaben ({ $inputs }) mit einer bekannten '
    + 'Antwort erzeugt.',
  nothing: 'Nichts.',
  alsoTrained: 'Seine Gewichte sind hier zufällig. Du kannst das System aus der Galerie auch mit trainierten '
    + 'Gewichten öffnen.',
  seeded: 'Seine Eingaben ({ $inputs }) sind Vektoren aus dem Startwert, also ist keine ihrer Positionen die richtige.',
  worth: 'Seine Attention-Karten zeigen, wie die Attention berechnet wird, nicht, woher eine Antwort kommt.',
  untrained: 'Mit zufälligen Gewichten öffnen',
  train: 'Hier trainieren',
  trainAgain: 'Von Anfang an trainieren',
  trainFor: '{ $train } ({ $time })',
  seconds: plural('n', { one: 'etwa 1 Sekunde', other: 'etwa # Sekunden' }),
  minutes: plural('n', { one: 'etwa 1 Minute', other: 'etwa # Minuten' }),
  lasts: 'Das Training beginnt mit zufälligen Gewichten und braucht { $steps } Schritte. Wir haben { $pace } Schritte '
    + 'pro Sekunde gemessen. Dein Tempo erscheint, sobald es läuft.',
  lastsLong: 'Das Training beginnt mit zufälligen Gewichten und braucht { $steps } Schritte, also länger als eine '
    + 'Minute. Wir haben { $pace } Schritte pro Sekunde gemessen. Dein Tempo erscheint, sobald es läuft.',
  lastsUnknown: 'Das Training beginnt mit zufälligen Gewichten und braucht { $steps } Schritte. Dein Tempo erscheint, '
    + 'sobald es läuft.',
  trainedHere: `Du hast dieses Modell ${plural('steps', { one: '1 Schritt', other: '# Schritte' })} lang trainiert.`,
  fromFile: 'Seine Gewichte stammen aus der Datei „{ $file }“.',
  fromFileAfter: `Seine Gewichte stammen aus der Datei „{ $file }“, nach ${
    plural('steps', { one: '1 Schritt', other: '# Schritten' })} Training.`,
  trainedFurther: `Du hast sie ${plural('steps', { one: '1 weiteren Schritt', other: '# weitere Schritte' })
  } lang trainiert.`,
  measuredHere: 'An { $heldOut } zurückgehaltenen Beispielen gemessen: { $right } der Wörter und { $exact } der ganzen '
    + 'Antworten sind richtig.',
  measuredThen: 'Bei Schritt { $step } an { $heldOut } zurückgehaltenen Beispielen gemessen: { $right } der Wörter '
    + 'und { $exact } der ganzen Antworten waren richtig.',
  measuredInFile: 'Die Datei gibt an, dass in { $heldOut } zurückgehaltenen Beispielen { $right } der Wörter und '
    + '{ $exact } der ganzen Antworten richtig sind.',
  untaken: `Hier zu sehen: ${either('shown', { page: 'die Gewichte, die zu dieser Seite gehören',
    own: 'die Gewichte einer Datei oder eines früheren Trainings', none: 'Gewichte, die nicht trainiert sind' })}. Du ${
    ''}hast dieses Modell ${plural('steps', { one: '1 Schritt', other: '# Schritte' })} lang trainiert; diese ${
    ''}Gewichte sind nicht zu sehen.`,
  untakenOther: `Du hast „{ $title }“ ${plural('steps', { one: '1 Schritt', other: '# Schritte' })} lang trainiert; ${
    ''}es ist hier nicht zu sehen.`,
  dismiss: 'Nicht mehr anzeigen',
  showIt: 'Zeigen',
  count: plural('n', { one: '1 öffnet sich mit trainierten Gewichten',
    other: '# öffnen sich mit trainierten Gewichten' }),
  newParts: 'Teile dieses Modells sind neu und untrainiert: { $names }. Die anderen Gewichte wurden ohne sie '
    + 'trainiert.',
};
