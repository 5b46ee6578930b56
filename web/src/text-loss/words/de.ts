// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  about: 'Wie gut sagt das Modell einen Text von dir vorher? Der Verlust ist das Mittel von −log p über alle Tokens; p '
    + 'ist die Wahrscheinlichkeit, die das Modell dem Token nach den Tokens davor gibt. Die Perplexität ist e hoch '
    + 'Verlust. Kleiner ist besser.',
  compare: 'Um zu sehen, was eine Änderung bewirkt, berechne den Verlust, ändere das Modell (schalte zum '
    + 'Beispiel einen '
    + 'Kopf aus, oder füge ein lokales Fenster hinzu) und berechne ihn noch einmal.',
  masked: 'Dieses Modell füllt maskierte Wörter aus und liest dabei beide Seiten. Es gibt keine Wahrscheinlichkeit für '
    + 'einen ganzen Text, also auch keinen Verlust zum Vergleichen.',
  type: 'Füge einen Text ein, tippe ihn, oder lege eine Textdatei hier ab',
  typeIds: 'Tokennummern, durch Leerzeichen getrennt',
  file: 'Textdatei wählen',
  window: 'Tokens pro Fenster',
  windowNote: 'Ein längerer Text wird in Fenster von { $most } Tokens geteilt, die sich zur Hälfte überlappen. Jedes '
    + 'Token zählt einmal, mit mindestens einem halben Fenster davor. Eine kleinere Zahl zeigt, was ein kürzerer '
    + 'Kontext kostet.',
  compute: 'Verlust berechnen',
  cancel: 'Abbrechen',
  encoding: 'Der Text wird in Tokens zerlegt …',
  progress: `{ $done } von ${plural('all', { one: '1 Token', other: '# Tokens' })}`,
  cancelled: 'Abgebrochen.',
  tooLong: 'Der Text ist zu lang. Nimm höchstens { $most } Zeichen.',
  unreadable: '„{ $name }“ lässt sich nicht als Text lesen.',
  tooShort: 'Der Text braucht mindestens zwei Tokens: Das erste sagt nur vorher.',
  badIds: 'Gib ganze Zahlen von 0 bis { $most } ein, durch Leerzeichen getrennt.',
  badWindow: 'Gib eine ganze Zahl von 2 bis { $most } ein.',
  changed: 'Das Modell hat sich seit der letzten Messung geändert. Berechne den Verlust noch einmal, um zu '
    + 'vergleichen.',
  runs: 'Messungen dieses Textes',
  model: 'Modell',
  unchanged: 'ohne Änderungen',
  unlike: 'mit anderen Änderungen',
  off: '{ $head } geändert',
  loss: 'Verlust (Nats pro Token)',
  perplexity: 'Perplexität',
  difference: 'Gegen die erste',
  predicted: plural('n', { one: '1 Token wurde vorhergesagt.', other: '# Tokens wurden vorhergesagt.' }),
  colour: 'Farbe',
  byLoss: '−log p jedes Tokens',
  byChange: 'Änderung gegen die erste Messung',
  shown: 'Die ersten { $shown } von { $all } Tokens sind zu sehen. Die CSV-Datei enthält alle.',
  hardest: 'Die Tokens mit dem größten Verlust',
  mostChanged: 'Die Tokens, deren Verlust sich am meisten geändert hat',
  position: 'Stelle',
  token: 'Token',
  probability: 'Wahrscheinlichkeit',
  ofToken: '−log p',
  before: 'Erste',
  change: 'Änderung',
  save: 'Als CSV speichern',
  hint: '„{ $token }“: Wahrscheinlichkeit { $probability }, −log p { $loss }',
};
