// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  unknown: 'Diese Seite hat keine Lektion „{ $id }“. Das sind ihre Lektionen.',
  unknownStep: `Diese Lektion hat keinen Schritt { $step }. Sie hat ${plural('of', { one: '1 Schritt',
    other: '# Schritte' })} und beginnt hier.`,
  without: 'Der Link hat diesen Schritt geöffnet. Die Änderungen aus den Schritten davor fehlen hier.',
  found: 'Eine Frage zu einem Experiment: „{ $title }“',
  lacks: 'Diese Frage handelt von { $names }; ein solcher Tensor oder ein solches Token ist jetzt nicht da. Deshalb '
    + 'kann sie nicht geprüft werden.',
  damaged: 'Der Link ist beschädigt: Kopiere ihn noch einmal vollständig.',
  wrong: 'Bei { $path }: erwartet { $expected }, gefunden { $found }.',
  nothing: 'nichts', text: 'ein Text', number: 'eine Zahl', count: 'eine ganze Zahl ab 0',
  textOf: 'ein Text mit höchstens { $most } Zeichen',
  something: 'ein Wert', object: 'ein Objekt', list: 'eine Liste',
  listOf: `eine Liste mit ${plural('size', { one: '1 Eintrag', other: '# Einträgen' })}`,
  oneOf: plural('count', { one: '{ $known }', other: 'eines von { $known }' }),
  condition: 'eine Bedingung mit einem von { $kinds }',
  document: 'ein Dokument dieser Seite',
  shipped: 'Gewichte, die mit der Seite kommen, denn eine Frage kann keine eigenen mitbringen',
  steps: 'eine Liste mit 1 bis { $most } Schritten',
  ofHead: '{ $cell }, Kopf { $head }',
  lockFirst: 'Eine Frage handelt von einer Zahl: Schließe diesen Dialog, klicke auf eine Zelle einer Matrix, damit sie '
    + 'bleibt, und komm zurück.',
  formAbout: 'Wer den Link öffnet, bekommt dieses Experiment mit deiner Aufgabe. Die Seite prüft die Zahl nach jeder '
    + 'Änderung.',
  formTitle: 'Eine Frage',
  task: 'Was zu tun ist',
  measured: '{ $label } ist jetzt { $value } und soll sein:',
  relation: 'Verhältnis', over: 'über', under: 'unter', bound: 'Zahl',
  already: 'Das ist schon so. Wähle eine andere Zahl, damit etwas zu tun ist.',
  questionLink: 'Link mit der Frage', copyQuestion: 'Link kopieren', copiedQuestion: 'Kopiert',
  saveQuestion: 'Frage als Datei speichern',
  linkLength: 'Der Link hat { $n } Zeichen.',
  copyByHand: 'Der Browser hat nicht kopiert. Kopiere den Link selbst.',
  through: 'Keine Lektion handelt von „{ $search }“. Die Lektionen unten benutzen { $parts }.',
  changed: 'Du hast diesen Schritt getan. Die Seite hat sich seitdem geändert, deshalb gilt seine Erklärung nicht '
    + 'mehr. Nimm die Änderung zurück, um sie wieder zu lesen.',
  copyLink: 'Link kopieren', address: 'Adresse dieses Schritts',
  elsewhere: 'An anderer Stelle dieser Seite',
  places: { model: 'Wie öffne ich mein eigenes Modell?', exercise: 'Wie stelle ich eine Aufgabe?',
    licence: 'Welche Lizenz gilt, und wie zitiere ich die Seite?' },
  placeWords: { model: 'mein eigenes Modell Checkpoint Gewichte Datei safetensors GPT-2 BERT Llama hochladen laden',
    exercise: 'Aufgabe Übung Übungsaufgabe Frage Hausaufgabe Quiz Test Klasse teilen Link',
    licence: 'Lizenz Urheberrecht Copyright zitieren Zitat drucken Buch Abbildung veröffentlichen Apache-2.0' },
};
