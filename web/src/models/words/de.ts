// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Ein Modell öffnen',
  about: 'Nichts wird hochgeladen. Dein Dokument bleibt offen, bis das Modell bereit ist.',
  unchanged: 'Dein Dokument ist unverändert.',
  takes: 'Die Gewichte eines Modells: .safetensors (mit einem Index, wenn es mehrere sind), .gguf, pytorch_model.bin, '
    + '.npz oder die .bin von llama2.c. Füge die config.json und den Tokenizer hinzu; ein Bildmodell braucht auch '
    + 'seine preprocessor_config.json.',
  folder: {
    none: 'In { $folders } sind keine Gewichte zu finden. Lege den Ordner mit den Gewichten des Modells hier ab, oder '
      + 'wähle seine Dateien. Verknüpfungen in einem Ordner, wie die im Cache von Hugging Face, werden nicht verfolgt.',
    several: 'Mehrere Ordner enthalten Gewichte: { $folders }. Lege den Ordner eines einzigen Modells hier ab.',
    many: 'Es sind mehr als { $most } Dateien und Ordner, unter anderem in { $folders }. Lege den Ordner des Modells '
      + 'selbst hier ab.',
    unreadable: 'Der Browser kann { $folders } nicht lesen. Prüfe, ob es noch da ist, und lege den Ordner noch einmal '
      + 'hier ab.',
  },
  choose: 'Dateien wählen',
  again: 'Dateien hinzufügen oder ersetzen',
  addsNote: 'Ein Tokenizer oder eine config.json kommt zu den Dateien oben dazu. Gewichte kommen auch dazu, solange '
    + 'das Modell nicht geöffnet ist; danach ersetzen sie alle diese Dateien.',
  files: 'Dateien',
  kilobytes: '{ $n } KB',
  megabytes: '{ $n } MB',
  kinds: { config: 'Konfiguration', preprocessor: 'wie Bilder gelesen werden', tokenizer: 'Tokenizer',
    index: 'Index der Gewichte', weights: 'Gewichte',
    other: 'andere Datei' },
  kindOfTokenizer: `Tokenizer ({ $kind }), ${plural('n', { one: '1 Token', other: '# Tokens' })}`,
  kindOfWeights: plural('n', { one: '1 Tensor', other: '# Tensoren' }),
  used: `${plural('count', { one: '1 Parameter', other: '# Parameter' })}, { $megabytes } MB`,
  sizes: `${plural('layers', { one: '1 Schicht', other: '# Schichten' })}, ${plural('heads',
    { one: '1 Kopf', other: '# Köpfe' })}, Breite { $width }, ${plural('vocabulary',
    { one: '1 Token', other: '# Tokens' })}`,
  sizesOfClasses: `${plural('layers', { one: '1 Schicht', other: '# Schichten' })}, ${plural('heads',
    { one: '1 Kopf', other: '# Köpfe' })}, Breite { $width }, ${plural('classes',
    { one: '1 Klasse', other: '# Klassen' })}`,
  looking: 'Die Dateiköpfe werden gelesen …',
  reading: '{ $done } von { $all } MB gelesen',
  ready: 'Alle Gewichte sind gelesen.',
  cancel: 'Abbrechen',
  cancelled: 'Abgebrochen. Nichts wurde geändert.',
  open: 'Modell öffnen',
  opening: 'Wird geöffnet …',
  save: 'Als Dokument speichern',
  saved: '{ $document } und { $weights } sind gespeichert. Lege beide in einen Ordner: „attend run“ nimmt die erste '
    + 'Datei, diese Seite nimmt beide zusammen.',
  question: 'Was ist hier „{ $says }“?',
  questionWhy: 'Weder die Formen der Tensoren noch eine config.json geben die Antwort. Wähle eine, oder füge die '
    + 'config.json hinzu.',
  assumedHeads: `Angenommen: ${plural('n', { one: '1 Kopf', other: '# Köpfe' })}. Keine Datei gibt die Zahl an.`,
  assumedActivation: 'Angenommen: Die Aktivierung ist { $name }. Keine Datei nennt sie.',
  assumedSize: 'Angenommen: „{ $says }“ ist { $value }. Keine Datei gibt den Wert an.',
  change: 'Anderen Wert wählen',
  likely: `Vermutung: ${plural('n', { one: '1 Kopf', other: '# Köpfe' })} der Breite { $width }, ${either('model', {
    usual: 'denn die meisten Modelle dieser Breite haben Köpfe der Breite 64.', narrow: 'denn schmale Modelle '
      + 'haben oft etwa vier Köpfe.' })} `
    + 'Jede Wahl passt zu den Formen, aber eine falsche gibt falsche Karten und falsche Wörter.',
  answer: 'Diese Antwort verwenden',
  heads: '{ $n } (Köpfe der Breite { $width })',
  tensors: 'Tensoren',
  inFile: 'In der Datei',
  shape: 'Form',
  usedAs: 'Verwendet als',
  leftOver: 'übrig',
  ignored: 'enthält keine Gewichte',
  tiedTo: 'gebunden an { $to }',
  absent: 'fehlt in der Datei',
  more: plural('n', { one: 'und 1 weiterer', other: 'und # weitere' }),
  showAll: plural('n', { one: '1 Tensor zeigen', other: 'Alle # Tensoren zeigen' }),
  counts: '{ $found } gefunden, 0 fehlen, { $tied } gebunden, { $left } übrig.',
  tokenizerLeft: 'Der Tokenizer des Modells ist hier nicht verwendbar oder zu groß; gib also Tokennummern statt '
    + 'Wörtern ein.',
  passedOver: 'nicht verwendet: Die Gewichte stehen in einer anderen Datei',
  noTokenizer: 'Unter den Dateien ist kein Tokenizer; gib also Tokennummern statt Wörtern ein.',
  assumed: 'Keine preprocessor_config.json gibt den Mittelwert der Farben an, darum sind Mittelwert und '
    + 'Standardabweichung auf 0,5 gesetzt, wie bei den meisten ViTs.',
  classes: 'Was das Modell sieht',
  classNumber: 'Klasse { $n }',
  ofClasses: `Die wahrscheinlichsten { $shown } von ${plural('n', { one: '1 Klasse', other: '# Klassen' })}, mit ihren `
    + 'Wahrscheinlichkeiten.',
  cannot: 'Dieses Modell lässt sich noch nicht öffnen',
  tooLarge: 'Das Modell hat { $numbers } Parameter, { $megabytes } MB. Die Seite fasst höchstens { $most } MB auf '
    + 'einmal, weil der Browser ihrer Engine 2 GB gibt. „attend import“ öffnet größere Modelle.',
  small: 'int8-Gewichte benutzen: { $megabytes } MB',
  smallWhy: 'Große Matrizen werden zu ganzen Zahlen von −127 bis 127 mit einem Skalierungsfaktor je Spalte. Ergebnisse '
    + 'ändern sich ein wenig.',
  died: 'Das Lesen des Modells brach ab, vermutlich weil der Browser keinen Speicher mehr hat. Schließe andere Tabs, '
    + 'und wähle die Dateien noch einmal.',
  unloaded: 'Der Teil der Seite, der Modelle liest, ließ sich nicht laden. Prüfe deine Verbindung, und wähle die '
    + 'Dateien noch einmal.',
  convert: 'Diese Zeilen wandeln die Datei um, wenn PyTorch installiert ist. Sie führen keinen Code daraus aus:',
  copy: 'Diese Zeilen kopieren',
  copied: 'Kopiert',
  neverRun: 'Die Seite führt so eine Datei niemals aus. Öffne sie auch nicht anderswo; suche nach einer '
    + 'safetensors-Datei des Modells.',
  text: 'Der Text, den das Modell liest',
  typeText: 'Text eingeben',
  ids: 'Tokennummern',
  typeSource: 'Schreibe den Text, den der Encoder liest',
  sourceNote: 'Wenn du ihn änderst, beginnt der Text darunter von vorn.',
  typeTarget: 'Schreibe den Text, den der Decoder schreibt',
  targetNote: 'Das Modell schreibt diesen Text, und du kannst ihn selbst eingeben (Teacher Forcing). In einer Karte '
    + 'der Cross-Attention zeigt die Zeile eines Tokens, worauf das Modell achtet, während es das nächste Token '
    + 'vorhersagt.',
  writeToEnd: 'Bis zum Ende schreiben',
  beginAgain: 'Von vorn beginnen',
  typeIds: 'Tokennummern, durch Leerzeichen getrennt',
  badIds: 'Gib ganze Zahlen von 0 bis { $most } ein, durch Leerzeichen getrennt.',
  count: `${plural('n', { one: '1 Token', other: '# Tokens' })} von höchstens { $most }`,
  countOnly: plural('n', { one: '1 Token', other: '# Tokens' }),
  broken: 'Jedes „\uFFFD“ steht für Bytes, die kein ganzes Zeichen ergeben, und lässt sich nicht tippen. '
    + 'Ändere nur den Text nach dem letzten oder lösche alle; bis dahin wird der vorige Text gezeigt.',
  tooLong: `Dieser Text hat ${plural('n', { one: '1 Token', other: '# Tokens' })}. `
    + 'Das Modell liest höchstens { $most }. Kürze ihn; bis dahin wird der vorige Text gezeigt.',
  next: 'Nächste Wörter',
  nextFor: 'Wörter für die Stelle von Token { $n }',
  before: 'vorher: { $value }',
  entered: 'neu in der Liste',
  beforeWhy: 'Die Zahl nach „vorher“, auf dem Balken als Strich gezeichnet, ist die Wahrscheinlichkeit für denselben '
    + 'Text vor deiner letzten Änderung.',
  beforeWhyClasses: 'Die zweite Zahl und der Strich auf dem Balken sind die Wahrscheinlichkeit für dasselbe Bild vor '
    + 'deiner letzten Änderung.',
  moved: 'Die Änderung hat mindestens { $value } der Wahrscheinlichkeit zu anderen Wörtern verschoben '
    + '(Totalvariation; 1 ist alles).',
  nextNow: 'Das wahrscheinlichste nächste Wort ist jetzt „{ $token }“, { $value }.',
  fitsNow: 'An die Stelle von Token { $n } passt jetzt „{ $token }“ am besten, { $value }.',
  gone: 'Nicht mehr in der Liste: { $tokens }.',
  goneOne: '„{ $token }“ (vorher: { $value })',
  goneBoth: '„{ $token }“ (vorher: { $value }, jetzt: { $now })',
  logitParts: 'Was die Köpfe zum Logit eines Wortes beitragen',
  textLoss: 'Verlust über einen eigenen Text',
  ask: 'Nächste Wörter berechnen',
  write: 'Ein Wort schreiben',
  writeMany: '{ $n } Tokens schreiben',
  stop: 'Anhalten',
  append: '„{ $token }“ an den Text anhängen',
  fill: '„{ $token }“ hier statt der Maske einsetzen',
  ended: 'Das Modell beendet seinen Text hier.',
  full: 'Das Modell liest höchstens { $n } Tokens: Der Text ist voll.',
  took: `{ $milliseconds } ms für ${plural('rows', { one: '1 Zeile', other: '# Zeilen' })}`,
  keeps: 'Keys und Values früherer Wörter: { $kilobytes } KB',
  whole: 'Für jedes Wort wird der ganze Text neu berechnet.',
  temperature: 'Temperatur',
  topK: 'Top-k',
  topP: 'Top-p',
  seed: 'Startwert',
  all: 'alle',
  greedy: 'Temperatur 0 nimmt immer das wahrscheinlichste Token.',
  activations: 'int8-Aktivierungen',
  activationsWhy: 'Jede Aktivierung, die mit int8-Gewichten multipliziert wird, wird auf einen von 128 Werten '
    + 'zwischen der kleinsten und der größten Zahl ihrer Zeile gerundet. Das ist schneller, '
    + 'aber die Wörter können sich ändern.',
  activationsDiffer: `Die Wahrscheinlichkeiten der Liste weichen um höchstens { $most } von denen ohne `
    + `int8-Aktivierungen ab; ${
    either('likeliest', { same: 'das wahrscheinlichste Wort ist dasselbe.',
      other: 'das wahrscheinlichste Wort ist ein anderes.' })}`,
  mask: 'Schreibe [MASK] in den Text: Das Modell füllt die Stelle aus.',
  absentModel: {
    title: 'In diesem Link geht es um ein Modell, das nicht in diesem Browser ist',
    why: 'Der Link enthält das Dokument, aber nicht die Gewichte des Modells. Ohne sie lässt sich nichts berechnen.',
    model: 'Modell',
    file: 'Datei der Gewichte',
    text: 'Text',
    place: 'Was er zeigt',
    changes: 'Änderungen',
    open: 'Dateien des Modells öffnen',
    kept: 'Text, Änderungen und Stelle des Links bleiben erhalten. Wenn du die Dateien nicht hast, frage den Absender.',
  },
  readingForWords: 'Die Gewichte für die nächsten Wörter werden gelesen: { $done } von { $all } MB',
  computingWords: 'Die nächsten Wörter werden berechnet …',
};
