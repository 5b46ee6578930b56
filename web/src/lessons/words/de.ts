// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  unknown: 'Diese Seite hat keine Lektion „{ $id }“. Das sind ihre Lektionen.',
  unknownStep: `Diese Lektion hat keinen Schritt { $step }. Sie hat ${plural('of', { one: '1 Schritt',
    other: '# Schritte' })} und beginnt hier.`,
  fromStart: 'Mit Schritt 1 beginnen',
  without: 'Der Link hat diesen Schritt geöffnet. Die Änderungen aus den Schritten davor fehlen hier.',
  found: 'Eine Frage zu einem Experiment: „{ $title }“',
  lacks: 'Diese Frage handelt von { $names }. Einen solchen Tensor oder ein solches Token gibt es jetzt nicht, '
    + 'deshalb kann sie nicht geprüft werden.',
  damaged: 'Der Link ist beschädigt: Kopiere ihn noch einmal vollständig.',
  wrong: 'Bei { $path }: erwartet { $expected }, gefunden { $found }.',
  nothing: 'nichts', text: 'ein Text', number: 'eine Zahl', count: 'eine ganze Zahl ab 0',
  textOf: 'ein Text mit höchstens { $most } Zeichen',
  something: 'ein Wert', object: 'ein Objekt', list: 'eine Liste',
  listOf: `eine Liste mit ${plural('size', { one: '1 Eintrag', other: '# Einträgen' })}`,
  oneOf: plural('count', { one: '{ $known }', other: 'eines von { $known }' }),
  condition: 'eine Bedingung mit einem von { $kinds }',
  document: 'ein Dokument dieser Seite',
  shipped: 'Gewichte, die zur Seite gehören, denn eine Frage kann keine eigenen mitbringen',
  steps: 'eine Liste mit 1 bis { $most } Schritten',
  ofHead: '{ $cell }, Kopf { $head }',
  lockFirst: 'Eine Frage handelt von einer Zahl: Schließe diesen Dialog, klicke auf eine Zelle einer Matrix, um sie '
    + 'festzuhalten, und komm zurück.',
  formAbout: 'Wer den Link öffnet, bekommt dieses Experiment mit deiner Aufgabe. Die Seite prüft die Zahl nach jeder '
    + 'Änderung.',
  ownTitle: 'Titel, den die Lesenden sehen (nicht nötig)',
  formTitle: 'Eine Frage',
  task: 'Was zu tun ist',
  measured: '{ $label } ist jetzt { $value } und soll sein:',
  goal: '{ $label } (soll { $relation } { $bound } sein)',
  relation: 'Verhältnis', over: 'über', under: 'unter', bound: 'Zahl',
  fromZero: 'eine Zahl von mindestens 0',
  listFrom: `eine Liste mit mindestens ${plural('least', { one: '1 Eintrag', other: '# Einträgen' })}`,
  yourAnswer: 'Deine Antwort', check: 'Antwort prüfen', right: 'Richtig.',
  tryAgain: 'Noch nicht richtig. Versuche es noch einmal.',
  restToDo: 'Die Antwort ist richtig. Der Rest dieses Schritts fehlt noch.',
  notNumber: 'Gib eine Zahl ein; „{ $typed }“ ist keine.',
  checkedBy: 'Was die Seite prüft',
  checks: { page: 'Eine Zahl auf der Seite, nach jeder Änderung', choice: 'Eine Antwort, die man auswählt',
    number: 'Eine Zahl, die man eingibt', word: 'Ein Wort, das man eingibt' },
  answerAbout: 'Wer den Link öffnet, bekommt dieses Experiment mit deiner Aufgabe und antwortet darunter. Die richtige '
    + 'Antwort steht im Link; wer ihn entschlüsselt, kann sie finden.',
  choices: 'Antworten zur Auswahl; markiere die richtige',
  choice: 'Antwort { $n }',
  rightChoice: 'Antwort { $n } ist die richtige',
  addChoice: 'Antwort hinzufügen',
  needChoices: 'Schreibe mindestens zwei Antworten und markiere eine davon.',
  needNumber: 'Gib die richtige Zahl an.',
  understood: 'Das wird als { $value } gelesen.',
  rightNumber: 'Richtige Zahl', within: 'Toleranz (±)',
  lockedIs: 'Die Zelle, die du festhältst, { $label }, ist { $value }.',
  rightWords: 'Richtige Wörter, eins pro Zeile',
  wordsNote: 'Großschreibung, Anführungszeichen und ein Punkt am Ende spielen keine Rolle.',
  explains: 'Nach der richtigen Antwort gezeigt (nicht nötig)',
  hints: 'Nach einer falschen Antwort gezeigt (nicht nötig)',
  already: 'Das ist schon so. Wähle eine andere Zahl, damit etwas zu tun ist.',
  questionLink: 'Link mit der Frage', copyQuestion: 'Link kopieren', copiedQuestion: 'Kopiert',
  saveQuestion: 'Frage als Datei speichern',
  linkLength: 'Der Link hat { $n } Zeichen.',
  copyByHand: 'Der Browser hat nicht kopiert. Kopiere den Link selbst.',
  through: 'Keine Lektion handelt von „{ $search }“. Die Lektionen unten benutzen { $parts }.',
  changed: 'Du hast diesen Schritt erledigt. Die Seite hat sich seitdem geändert, deshalb gilt seine Erklärung nicht '
    + 'mehr. Nimm die Änderung zurück, um sie wieder zu lesen.',
  copyLink: 'Link kopieren', address: 'Adresse dieses Schritts',
  sources: 'Arbeiten:',
  places: { model: 'Wie öffne ich mein eigenes Modell?', exercise: 'Wie stelle ich eine Aufgabe?',
    privacy: 'Verlässt mein Text den Computer, und läuft die Seite offline?',
    licence: 'Welche Lizenz gilt, und wie zitiere ich die Seite?',
    words: 'Wie benutze ich eigene Wörter oder Zahlen?',
    picture: 'Wie speichere ich ein Bild für eine Arbeit oder für Folien?',
    code: 'Wie bekomme ich die Formeln oder den Code?', present: 'Wie zeige ich das einer Klasse?',
    cost: 'Was kostet das an Zeit und Speicher?', predict: 'Wie sagt ein Modell das nächste Wort vorher?',
    systems: 'Welche Arbeiten und Systeme gibt es hier?' },
  placeWords: { model: 'mein eigenes Modell, Checkpoint, Gewichtsdatei, Datei, safetensors, GPT-2, BERT, Llama, '
      + 'hochladen, laden',
    exercise: 'Aufgabe, Übung, Übungsaufgabe, Frage, Hausaufgabe, Quiz, Test, Prüfung, Klasse, Schüler, '
      + 'Studierende, teilen, Link',
    privacy: 'Datenschutz, Server, offline, Daten, DSGVO, Cookies, hochladen, Tracking, ohne Internet, Netz, '
      + 'gespeichert, löschen, privacy',
    licence: 'Lizenz, Urheberrecht, Copyright, zitieren, Zitat, BibTeX, drucken, Buch, Abbildung, veröffentlichen, '
      + 'Apache-2.0',
    words: 'eigener Satz, eigener Text, eigene Daten, mein Satz, CSV, Tabelle, Excel, Matrix, Wortvektoren, '
      + 'Embeddings, Bild, JSON, NumPy, Datei hochladen, eingeben',
    picture: 'Abbildung, Bild, Grafik, SVG, PNG, PDF, herunterladen, exportieren, drucken, Screenshot, speichern, '
      + 'beide Seiten',
    code: 'LaTeX, Formel, Gleichung, PyTorch, Python, NumPy, exportieren, herunterladen, Skript, Modul, Zahlen, CSV, '
      + 'Tabelle der Gewichte',
    present: 'Vortrag, Vorlesung, Präsentation, präsentieren, Beamer, Folien, Vollbild, Unterricht, unterrichten, '
      + 'lehren',
    cost: 'Speicher, Speicherbedarf, Zeit, Geschwindigkeit, FLOPs, KV-Cache, KV cache, Parameter, Rechenaufwand, '
      + 'schneller, langsam',
    predict: 'Vorhersage, vorhersagen, nächstes Wort, nächstes Token, Sprachmodell, GPT, ChatGPT, LLM, Text erzeugen, '
      + 'schreiben, Wahrscheinlichkeit',
    systems: 'Galerie, Liste, Arbeit, Paper, Transformer, BERT, GPT, Architektur, Architekturen, Beispiele' },
  doorWords: { learn: 'trainieren, Training, lernen, Optimierer, Adam, Verlust, Loss, Epochen, Gradientenabstieg, '
    + 'Backpropagation, rückwärts, Rückwärtsschritt, Lernkurve',
    embed: 'iframe, Webseite, Website, Blog, HTML, Kursseite, Moodle, einbetten, einbinden, Rahmen' },
  questions: plural('n', { one: '1 Frage gefunden', other: '# Fragen gefunden' }),
  partly: 'Keine Frage handelt von allen diesen Wörtern. Gezeigt werden Fragen zu „{ $kept }“.',
};
