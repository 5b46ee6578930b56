// SPDX-License-Identifier: Apache-2.0
import { dialogs } from './de-dialogs.ts';
import type { Strings } from './language.ts';
import { either, plural } from './message.ts';

const words: Strings = {
  ...dialogs,
  title: 'Attention-Spielplatz', undo: 'Rückgängig', redo: 'Wiederholen', reset: 'Zurücksetzen',
  themeToDark: 'Dunkle Farben', themeToLight: 'Helle Farben',
  controls: 'Regler', flow: 'Berechnung', explanation: 'Erklärung', stages: 'Stufen',
  close: 'Schließen', comma: ', ', semicolon: '; ', dismiss: 'Verwerfen',

  linkDamaged: 'Dieser Link ist beschädigt.', linkVersion: 'Dieser Link stammt aus einer anderen Version.',
  linkHostile: 'Dieser Link enthält kein Experiment.',
  linkModules: 'Das Experiment in diesem Link hat mehr Module, als die Seite zeichnen kann (höchstens 64).',
  linkHalf: 'Ein Text in diesem Link enthält ein halbes Zeichen (ein einzelnes Surrogat). Kopiere den Link noch einmal '
    + 'aus seiner Quelle.',
  linkRefused: 'Dieser Link ließ sich nicht berechnen ({ $message }). Stattdessen wird das Beispiel gezeigt.',
  attributeDamaged: 'Das Attribut document war nicht lesbar, darum wird das Beispiel gezeigt.',
  projectedInstead: '„{ $title }“ braucht Queries und Keys gleicher Breite; hier sind sie { $dq } und { $dk } '
    + 'breit. Es wird innerhalb von „{ $other }“ benutzt, dessen Matrix die eine Breite auf die andere abbildet.',
  nearestInstead: '„{ $title }“ geht hier nicht ({ $message }). Stattdessen wird „{ $other }“ benutzt.',
  newPart: 'Deine Wörter, das Modell und seine trainierten Gewichte bleiben. Neu und untrainiert: { $names }.',
  weightsLost: 'Die trainierten Gewichte von „{ $title }“ konnten nicht geladen werden ({ $why }), also öffnet es sich '
    + 'mit zufälligen Gewichten.',
  trainingLost: 'Das Training von „{ $title }“ konnte nicht geladen werden ({ $why }). Dein Dokument ist unverändert.',
  wordsUnknown: '„{ $title }“ kennt { $known } von deinen { $of } Wörtern und wird daher mit seinem eigenen Beispiel '
    + 'gezeigt.',
  pictureNotKept: '„{ $title }“ kann dein Bild nicht benutzen und wird daher mit seinem eigenen Beispiel gezeigt.',
  wordsNotKept: '„{ $title }“ kann deine Wörter nicht benutzen und wird daher mit seinem eigenen Beispiel gezeigt.',
  trainIt: 'Trainieren', openExample: 'Sein eigenes Beispiel öffnen', openSystem: '„{ $title }“ öffnen, das es benutzt',
  misfit: '„{ $title }“ geht hier nicht ({ $message }). Dein Dokument ist unverändert.',
  pictures: {
    names: { matrix: 'Matrix', lines: 'Linien', text: 'Text', table: 'Tabelle', bars: 'Balken', 'line-chart': 'Verlauf',
      picture: 'Bild', timeline: 'Schritt für Schritt', grid: 'Alle Köpfe',
      classes: 'Klassen auf Wörtern', reach: 'Reichweite', distance: 'Nach Abstand', alike: 'Gemeinsame Zeilen',
      gathers: 'Landmarken auf Wörtern', chosen: 'Was gewählt wurde',
      states: 'Wachsender Zustand', memory: 'Gedächtnis, Zeile für Zeile', blocks: 'Blöcke von Keys' },
    groups: `${plural('tokens', { one: '1 Wort', other: '# Wörter' })} in ${plural('groups',
      { one: '1 Gruppe', other: '# Gruppen' })}`,
    gathered: `Landmarken mit Wörtern: { $groups } von { $rows }. ${plural('tokens', { one: 'Das Wort', other:
      'Jedes der # Wörter' })} steht bei der Landmarke, die ihm den größten Anteil ihres Gewichts gibt.`,
    shareRows: `${plural('tokens', { one: '1 Wort hat', other: '# Wörter teilen sich' })} ${
      plural('rows', { one: '1 Zeile', other: '# Zeilen' })} von Gewichten`,
    reach: '{ $one } der Paare direkt, { $two } in höchstens zwei Schritten',
    inSteps: ['direkt', 'in zwei Schritten'],
    row: 'Zeile { $n }',
    span: `Die Hälfte des Gewichts liegt innerhalb von ${plural('words', { one: '1 Wort', other: '# Wörtern' })}`,
    memory:
    `Das Gedächtnis nach ${plural('rows', { one: '1 Zeile', other: 'jeder von # Zeilen' })}; vergrößert: nach { $row }`,
    after: 'Nach { $row }', changed: 'Was diese Zeile geändert hat',
    blocks: `${plural('rows', { one: '1 Query', other: '# Queries' })} über ${plural('count',
      { one: '1 Block', other: '# Blöcke' })}; { $row }: { $chosen }`,
    grows: `Von Länge { $first } bis { $last } in ${plural('steps', { one: '1 Schritt', other: '# Schritten' })}`,
    save: 'Diese Zahlen speichern', matrix: '{ $rows } mal { $cols } Zahlen',
    looksAt: '{ $query } achtet am meisten auf { $key }',
    largest: 'Am größten bei { $name }: { $value }', fromTo: 'Von { $first } bis { $last }',
    brightest: 'Am größten in Zeile { $row }, Spalte { $col }: { $value }',
    steps: plural('count', { one: '1 Schritt, ein Bild', other: '# Schritte, je ein Bild' }),
    grid: '{ $layers } mal { $heads }: Schichten und Köpfe', place: 'Schicht { $layer }, Kopf { $head }',
  },
  stillShown: 'Zu sehen ist noch das letzte gültige Ergebnis.',
  showMore: either('last', { yes: 'Die übrigen { $left } zeigen', no: '{ $some } weitere von { $left } zeigen' }),
  layers: `{ $name }, ${plural('n', { one: '1 Schicht', other: '{ $both } Schichten' })}`,
  computing: 'Es wird gerechnet', seconds: '{ $count } s', stopComputing: 'Abbrechen',
  engineStopped: 'Die Berechnung wurde abgebrochen. Rückgängig stellt das vorige Dokument wieder her.',
  engineCrashed: 'Die Engine ist bei dieser Berechnung abgestürzt ({ $message }). Eine neue läuft schon; Rückgängig '
    + 'stellt das vorige Dokument wieder her.',
  engineUnloaded: 'Die Engine ließ sich nicht laden. Prüfe die Verbindung und ändere dann etwas, um es erneut zu '
    + 'versuchen.',
  crashed: 'Diese Berechnung ist abgestürzt: { $message }. Versuche es erneut.', tryAgain: 'Erneut versuchen',
  engineSays: `${either('named',
    { yes: 'Zu „{ $field }“ meldet die Engine', no: 'Die Engine meldet' })}: { $message }.`,
  engineWarns: 'Hinweis der Engine:',

  moduleNames: { decoder: 'Decoder', encoder: 'Encoder', embedding: 'Embedding', memory: 'Gedächtnis',
    loss: 'Verlust', attention: 'Attention', layer: 'Schicht', block: 'Block', word: 'Wort', words: 'Wörter',
    sentence: 'Satz', document: 'Dokument', answer: 'Antwort', class: 'Klasse', question: 'Frage', reader: 'Leser',
    output: 'Ausgabe', features: 'Merkmale', norm: 'Norm', sum: 'Summe', tokens: 'Tokens', positions: 'Positionen',
    predict: 'Vorhersage', kinds: 'Segmente', widened: 'Verbreitert', narrowed: 'Verschmälert', wider: 'Verbreitert',
    mean: 'Mittel', dense: 'Dense', transform: 'Transformation', 'transform-norm': 'Norm der Transformation',
    first: 'Erstes', 'first-norm': 'Erste Norm', pooled: 'Gepoolt', classify: 'Klassifikator', patches: 'Patches',
    replaced: 'Ersetzt', 'replaced-transform': 'Transformation für Ersetzte', 'source-tokens': 'Quell-Tokens',
    'target-tokens': 'Ziel-Tokens', 'source-positions': 'Quell-Positionen', 'target-positions': 'Ziel-Positionen',
    'source-embedding': 'Quell-Embedding', 'target-embedding': 'Ziel-Embedding', 'encoder-norm': 'Encoder-Norm',
    'decoder-norm': 'Decoder-Norm', cross: 'Cross-Attention', ffn: 'FFN', 'ffn-norm': 'FFN-Norm',
    'encoder-ffn': 'Encoder-FFN', 'decoder-ffn': 'Decoder-FFN', 'attention-norm': 'Attention-Norm',
    'feed-forward': 'Feed-Forward', 'feed-forward-norm': 'Feed-Forward-Norm' },
  groupNames: { Features: 'Merkmale', General: 'Allgemein', Queries: 'Queries',
    'Masks and positions': 'Masken und Positionen' },
  mechanism: 'Mechanismus', whatIs: '{ $what }: Formel und Bedeutung', none: 'Keine',
  moreChoices: '{ $count } weitere Möglichkeiten', add: 'Hinzufügen', remove: '{ $what } entfernen',
  filter: '{ $what }: { $n } Möglichkeiten filtern', nothingFits: 'Nichts passt zu diesem Filter.',
  since: 'Seit', anyYear: 'jedes Jahr', sinceYear: '{ $year } ({ $n })',
  menuMisfit: 'Das geht hier nicht: { $why }. Enter nimmt die nächstliegende mögliche Wahl, falls es eine gibt.',
  menuNewPart: 'Dieser Teil ist untrainiert. Enter fügt ihn ein und behält deine Wörter und alle anderen Gewichte.',
  menuInstead: 'Hier benutzt als: { $other }',
  menuHelpTap: 'Tippe auf eine Wahl, um sie zu benutzen. Tippe daneben, um die vorige zu behalten.',
  menuHelp: 'Pfeiltasten zeigen eine Wahl, Enter behält sie, Escape stellt die vorige wieder her.',
  data: 'Daten', width: 'Breite d', widthOf: 'Breite von { $name }', features: 'Merkmale',
  featureKinds: { words: 'Wortvektoren', embedding: 'Zufällig, je Wort', 'one-hot': 'One-hot',
    sinusoidal: 'Sinusförmig', matrix: 'Deine Matrix' },
  seed: 'Startwert', drawAgain: 'Neu ziehen',
  rowsOfNumbers: 'Zahlen, eine Matrixzeile je Zeile', numberWanted: 'Gib eine Zahl ein; „{ $typed }“ ist keine.',

  inputs: 'Eingaben', input: 'Eingabe „{ $name }“',
  randomFeatures: 'Zufällige Merkmale, Startwert { $seed }: kein trainiertes Modell.',
  wordVectors: `Wortvektoren aus dem gemeinsamen Vorkommen in Texten; ${
    either('drawn', { yes: 'die Projektionen sind zufällig, bis sie trainiert werden',
      no: 'sonst ist hier nichts trainiert' })}.`,
  useWords: 'Wortvektoren nehmen',
  answer: {
    reads: 'Was das Modell liest', title: 'Was es schrieb', note: 'Ändere die Eingabe, und das Modell antwortet noch '
      + 'einmal.',
    writing: 'Das Modell schreibt …', now: 'Das Modell antwortet jetzt: „{ $text }“.', or: 'Oder:',
  },
  useYourOwn: 'Eigene Wörter', doneTyping: 'Fertig', typeSentence: 'Satz eingeben',
  addToken: 'Wort hinzufügen', newToken: 'Neues Wort', addInput: 'Eingabe „{ $name }“ hinzufügen',
  numbersHelp: 'Klicke oder tippe eine Zelle doppelt an, um sie zu setzen.',
  givenNumbers: 'Deine eigenen Zahlen, unverändert verwendet.', backToWords: 'Zurück zu Wörtern',
  numbersUnused: 'Das Modell liest nur die Wörter; die Zahlen werden nicht verwendet.',
  removeInput: 'Eingabe „{ $name }“ entfernen',
  tokenHelp: 'F2 oder Doppelklick ändert ein Wort, Entf entfernt es, Alt mit Pfeiltaste verschiebt es.',
  moreTokens: 'und { $n } weitere', sampleTokens: ['wer', 'schlief', '?'],

  tensors: { query: 'Queries', key: 'Keys', value: 'Values', scores: 'Scores', mask: 'Maske', weights: 'Gewichte',
    context: 'Kontext', output: 'Ausgabe', position: 'Positionen', affinity: 'Affinität', penalty: 'Strafe',
    state: 'Zustand', states: 'Zustandsfolge', implied: 'Implizite Karte', last: 'Letzter Zustand',
    loss: 'Verlust', gate: 'Gate', remainder: 'Gewicht auf keinem Key', index: 'Scores des Index',
    chosen: 'Gewählte Keys',
    compressed: 'Gewichte auf Blockmitteln', latent: 'Latente Zeilen', latent_key: 'Geteilte Key-Merkmale',
    lambda: 'Abgezogener Anteil', weights1: 'Erste Karte', weights2: 'Zweite Karte', logits: 'Logits',
    probabilities: 'Wahrscheinlichkeiten', tokens: 'Gewählte Wörter',
    'channel.weights': 'Gewichte der Kanäle', 'spatial.weights': 'Gewichte der Positionen' },
  cellOf: { query: 'Query', key: 'Key', value: 'Value', scores: 'Score', mask: 'Maske', weights: 'Gewicht',
    context: 'Kontext', output: 'Ausgabe', position: 'Position', affinity: 'Affinität', penalty: 'Strafe',
    state: 'Zustand', states: 'Zustand', implied: 'Implizites Gewicht', last: 'Letzter Zustand', loss: 'Verlust',
    gate: 'Gate', remainder: 'Gewicht auf keinem Key', index: 'Score des Index', chosen: 'Wahl',
    compressed: 'Gewicht auf einem Blockmittel', latent: 'Latentes Merkmal', latent_key: 'Geteiltes Key-Merkmal',
    lambda: 'Abgezogener Anteil', weights1: 'Erstes Gewicht', weights2: 'Zweites Gewicht', logits: 'Logit',
    probabilities: 'Wahrscheinlichkeit', tokens: 'Gewähltes Wort',
    'channel.weights': 'Gewicht eines Kanals', 'spatial.weights': 'Gewicht einer Position' },
  cell: { query: 'Query { $token }', key: 'Key { $token }', head: 'Kopf { $n }', map: 'Karte { $n }', index: 'Index',
    step: 'Schritt', feature: 'Merkmal', class: 'Klasse { $name }' },

  cases: { when: 'falls', otherwise: 'sonst' },
  menuGroups: { survey: 'In der Taxonomie der Übersichtsarbeit', beyond: 'Über die Übersichtsarbeit hinaus',
    structures: 'Strukturen',
    efficient: 'Effiziente Formen', recurrent: 'Rekurrente Rechenkerne', chosen: 'Gewählte Blöcke',
    features: 'Merkmalsmodelle', models: 'Ausgabemodelle', losses: 'Verluste', vision: 'Bilder', cells: 'Zellen',
    layers: 'Schichten und Blöcke' },
  structure: {
    title: 'Struktur', note: 'welcher Teil aus welchem berechnet wird', together: 'alle zusammen',
    helpTap: 'Tippe auf einen Teil, um zu seinen Matrizen zu gehen.',
    help: 'Zeige auf einen Teil, um seine Matrizen zu sehen; drücke darauf, um hinzugehen.',
    takes: 'nimmt { $from }', gives: 'liefert an { $to }',
  },
  earlier: 'vorher: { $value }',
  story: {
    edited: '„{ $title }“, von dir geändert', changed: '„{ $title }“, geändert',
    who: 'Diese Seite ist für alle, die Attention lernen, lehren oder entwerfen. Ein guter Anfang:', ask: 'Fragen',
    attention: 'So geht Attention (Aufmerksamkeit): Für jedes französische Wort bekommt jedes englische Wort ein '
      + 'Gewicht. Die Gewichte ergeben zusammen 1, und das Modell rechnet mit dem so gewichteten Mittelwert der '
      + 'englischen Wörter weiter.',
    tour: 'ein Rundgang in fünf Schritten', all: 'Alle Lektionen', notes: 'Das fällt auf',
    how: 'Wie wurde das berechnet?', weightsAlone: 'Nur die Gewichte',
    divided: '„{ $query }“ achtet auf „{ $one }“ ({ $most }) und auf „{ $other }“ ({ $next }).',
    strongest: '„{ $query }“ achtet auf „{ $key }“ ({ $value }). Das ist das größte Gewicht unter 1 zwischen zwei '
      + 'verschiedenen Wörtern.',
    inSide: 'In { $side }: { $said }',
  },
  doors: {
    root: 'Warum durch die Wurzel aus d teilen?', mask: 'Was verbirgt eine Maske?', softOrHard: 'Weich oder hart?',
    heads: 'Worauf achtet jeder Kopf?',
    learn: 'Kann ich einem Modell beim Lernen zusehen?', embed: 'Wie kommt das auf meine Seite?',
  },
  behind: {
    root: 'große Scores lassen nur einen Key übrig', mask: 'kein Wort darf auf spätere achten',
    softOrHard: 'eine Mischung oder eine einzige Wahl', heads: 'eine Karte je Kopf',
    learn: 'vom Rauschen zur Ausrichtung', embed: 'ein Rahmen, ein Bild oder Code',
  },
  first: {
    is: 'Ein kleines Modell hat diesen Satz übersetzt. Bevor es ein französisches Wort schrieb, achtete es auf die '
      + 'englischen Wörter.',
    see: `Lies eine Zeile: Je ${either('dark', { yes: 'heller', no: 'dunkler' })} eine Zelle, desto mehr Gewicht `
      + 'bekam das Wort. Niemand hat dem Modell gesagt, wohin es sehen soll; es hat das aus { $sentences } Beispielen '
      + 'gelernt.',
    notes: [
      '„voient“ achtet vor allem auf „see“ ({most decoder.weights 1 1}) und ein wenig auf „they“ ({decoder.weights 1 '
        + '0}): '
        + 'Die Endung eines französischen Verbs hängt von seinem Subjekt ab.',
      '„la“ achtet auf „the“ ({most decoder.weights 2 2}) und auf „car“ ({decoder.weights 2 4}): Das Substantiv '
        + 'entscheidet, '
        + 'ob „the“ zu „le“ oder „la“ wird.',
      '„voiture“ achtet auf „car“ ({most decoder.weights 3 4}), „rouge“ auf „red“ ({most decoder.weights 4 3}): Im '
        + 'Französischen steht die Farbe hinter dem Substantiv, also kreuzen sich die beiden Ausrichtungen.',
      '„<end>“ übersetzt kein Wort, also ist sein Gewicht auf „they“ ({most decoder.weights 5 0}) keine Ausrichtung.',
    ],
  },
  views: { matrix: 'Matrix', lines: 'Linien', text: 'Text', table: 'Tabelle' },
  viewAs: 'Gewichte als', masked: 'maskiert', exactlyZero: 'genau 0', noKey: 'kein Key',
  keyValueHead: 'Key-Value-Kopf { $n } (Köpfe { $first } bis { $last })',
  head: 'Kopf { $n }', headOf: 'Kopf { $n } von { $count }', heads: 'Köpfe', headsNote: 'eine Skala; Entropie darunter',
  headsScale: 'eine Skala', ofHeads: 'von { $n }', previousHead: 'Voriger Kopf', nextHead: 'Nächster Kopf',
  bits: '{ $n } Bit', bitsOf: '{ $n } von { $most } Bit',
  wholeMatrix: 'ganze Gewichtsmatrix', rowsSumTo: 'Zeilensummen', fromTo: '{ $low } bis { $high }',
  inAllRows: `{ $sum } in ${plural('rows', { one: '1 Zeile', other: 'allen # Zeilen' })}`,
  entropyMean: 'Mittlere Entropie', entropyOfShares: 'Mittlere Entropie der durch ihre Summe geteilten Zeilen',
  rowOf: 'Zeile von { $row }', keysOf: plural('n', { one: '1 Key', other: '# Keys' }),
  pinScale: 'Diese Farbskala behalten', doubleRow: 'Zeile verdoppeln', negateRow: 'Zeile negieren',
  shuffle: 'Wörter mischen', shuffleRows: 'Zeilen mischen',
  specialWords: `{ $words } ${plural('count', { one: 'ist ein besonderes Token und kein Wort: Damit kennzeichnet',
    other: 'sind besondere Tokens und keine Wörter: Damit kennzeichnet' })} das Modell einen Anfang, ein Ende oder ein `
    + 'unbekanntes Wort.',
  unknownWords: 'Das Modell kennt { $known } Wörter, aber nicht { $words }. Es liest dafür <unknown>.',
  knownWords: 'Die { $count } Wörter, die das Modell kennt', anotherWord: '„{ $word }“ durch ein anderes Wort ersetzen',
  quotedWord: '„{ $word }“', removeWord: '„{ $word }“ entfernen', moveEarlier: 'Nach vorn', moveLater: 'Nach hinten',
  doubleWord: 'Zeile von „{ $word }“ verdoppeln', negateWord: 'Zeile von „{ $word }“ negieren',
  parameterList: { open: 'Alle auflisten', heads: ['Name', 'Form', 'Zahlen', 'Herkunft'],
  drawn: 'aus dem Startwert gezogen', fixed: 'bei jedem Startwert gleich',
    all: 'Alle' },
  large: {
    enlarge: 'Vergrößern: { $name }', zoom: 'Größe der Zellen', zooms: { fit: 'Ganz', numbers: 'Mit Zahlen' },
    help: 'Drücke Z, um zwischen beiden zu wechseln.',
    lens: 'Zeige auf eine Zelle, um sie und ihre Nachbarn in Zahlen zu sehen.', bits: 'Bit', keys: 'Keys',
    most: 'größtes Gewicht', entropy: 'Entropie in Bit', above: 'Gewichte über 0', through: '„{ $word }“ in jedem Kopf',
  },
  keysAbove: 'Mittlere Zahl der Keys über 0', largest: 'Größtes',
  outputAndMore: 'Ausgabe und weitere Ergebnisse', parameters: 'Parameter',
  parametersNote: `${plural('numbers', { one: '1 Zahl', other: '# Zahlen' })} in ${plural('count',
    { one: '1 Matrix', other: '# Matrizen' })}; ${either('from', { drawn: 'aus dem Startwert gezogen',
      fixed: 'bei jedem Startwert dieselben', both: 'ein Teil ist aus dem Startwert gezogen' })
    }; ein Doppelklick oder doppeltes Tippen setzt eine Zelle`,
  parametersLearned: `${plural('numbers', { one: '1 Zahl', other: '# Zahlen' })} in ${plural('count',
    { one: '1 Matrix', other: '# Matrizen' })
    }; aus Beispielen gelernt; ein Doppelklick oder doppeltes Tippen setzt eine Zelle`,
  learnedNote: 'aus Beispielen gelernt', byVectors: 'Diese Wörter mit ihren Wortvektoren zeigen',
  skip: 'Zum Bild springen', skipToInputs: 'Zu den Eingaben springen',
  givenNote: 'von dir gesetzt', drawAgainThis: 'Aus dem Startwert ziehen',
  everyStep: 'Jeder Schritt', everyStepNote: 'jeder benannte Rechenschritt, der Reihe nach',
  whatAttends: 'Worauf { $token } achtet',
  attendsNote: 'Die Tönung zeigt das Gewicht. Zeige auf ein Wort oder tippe es an, um zu sehen, worauf es achtet.',
  matrixRole: 'Matrix', matrixHelp:
    'Pfeiltasten bewegen, Enter hält fest, Escape löst, T zeigt die Tabelle, L vergrößert.',
  linesHelp: 'Auf und ab wählt eine Query, links und rechts ihre Keys nach Gewicht, Enter hält fest, Escape löst.',
  editable: 'Zellen lassen sich ändern.', tableOf: 'Tabelle: { $name }', slice: 'Schnitt { $axis }',
  tooLarge: '{ $rows } mal { $cols }: Nur die ersten Zeilen und Spalten stehen hier.',
  readOnlyWeight: 'Gewichte werden berechnet und lassen sich hier nicht ändern. In einem trainierten Modell kannst du '
    + 'unter „Trainieren“ eines von Hand setzen.',
  setByHand: 'Ein Gewicht von Hand setzen',
  readOnly: 'Dieser Wert wird berechnet. Ändere stattdessen eine Eingabe oder einen Parameter.',

  stageNames: { inputs: 'Merkmale', qkv: 'Q K V', scores: 'Scores', mask: 'Maske', weights: 'Gewichte',
    context: 'Kontext', output: 'Ausgabe' },
  previousStage: 'Vorige Stufe', nextStage: 'Nächste Stufe', play: 'Stufen abspielen', pause: 'Pause',

  roleHelp: {
    query: 'Die Query (Anfrage) einer Position sagt, was sie sucht. Sie wird mit jedem Key verglichen.',
    key: 'Der Key (Schlüssel) einer Position sagt, woran sie gefunden wird. Jede Query wird mit ihm verglichen.',
    value: 'Der Value (Wert) einer Position ist, was sie weitergibt. Values werden mit den Gewichten gemittelt.',
  },
  idleTitle: 'Zeige auf eine Zelle', follows: 'folgt dem Zeiger',
  idleText: 'Hier erscheinen ihr Wert, wie er berechnet wurde und wo er gebraucht wird. Ein Klick hält sie fest, '
    + 'Escape löst sie.',
  idleTap: 'Tippe auf eine Zelle', idleTapText: 'Hier erscheinen ihr Wert, wie er berechnet wurde und wo er gebraucht '
    + 'wird.',
  about: {
    measured: 'An { $n } Sätzen, die das Modell nie gesehen hat', right: 'Wörter richtig',
    means: 'größtes Gewicht auf dem Wort, das übersetzt wird', agrees: 'oder auf einem Wort, das seine Form bestimmt',
    changed: 'Du hast das Modell verändert, darum gelten seine Messwerte nicht mehr.',
    own: 'Dieses Modell wurde hier trainiert oder aus einer Datei geladen. Es ist noch nicht gemessen.',
    measure: 'Messen',
    title: 'Was zu bedenken ist', explanation: 'Ist Attention eine Erklärung?', beyond: 'Außerhalb dieser Grammatik:',
    translator: 'Das ist kein allgemeiner Übersetzer: Er kennt { $read } englische Wörter und eine kleine Grammatik.',
    why: 'Die Gewichte allein erklären die Antwort des Modells nicht.', work: 'Hier benutzte Mechanismen',
    noTitles: 'Der Katalog kennt die Titel der Arbeiten nicht: Ergänze in jedem Eintrag den Titel.',
    untrained: `Nicht trainiert: ${plural('numbers', { one: 'Sein 1 Parameter wurde',
      other: 'Seine # Parameter wurden' })
    } aus dem Startwert { $seed } gezogen.`,
    showsHow: 'Seine Gewichte zeigen, wie der Mechanismus arbeitet, nicht was ein Modell gelernt hat.',
    fixedToo: `${plural('n', { one: '1 weiterer beginnt', other: '# weitere beginnen' })
    } bei jedem Startwert mit demselben Wert.`,
    fixed: `Nicht trainiert: ${plural('n', { one: 'Sein 1 Parameter beginnt', other: 'Seine # Parameter beginnen' })
    } bei jedem Startwert mit demselben Wert.`,
    plain: 'Nicht trainiert: Diese Attention hat nichts zu lernen. Ihre Formeln berechnen die Gewichte allein aus den '
      + 'Eingaben.',
    byHand: 'Nicht trainiert: Seine Parameter wurden von Hand gesetzt.',
  },
  slopesAllZero: 'Dieser Gradient ist überall 0: { $of } hängt nicht von dieser Matrix ab. Ein Modul, das Schritt für '
    + 'Schritt rechnet, zeichnet hier nur seine Schritte auf; siehe seine Parameter und Eingaben.',
  hiddenByMask: 'Die Maske verbirgt diesen Key vor dieser Query. Darum ist sein Gewicht genau 0, wie groß sein Score '
    + 'auch ist.',
  locked: 'Festgehalten', lock: 'Festhalten', formula: 'Formel', withNumbers: 'Mit den Zahlen',
  entropyHere: 'Entropie der Gewichte: { $bits }',
  rowEntropy: 'Entropie der Zeile von { $row }: { $bits }',
  restOfRow: `…: ${plural('n', { one: '1 weiterer Key', other: '# weitere Keys' })}, zusammen { $sum }`,
  share: 'Ihr Anteil an der Zeile',
  wholeRow: 'Vor der Division ergeben die Terme dieser Zeile zusammen { $total }. Die Balken folgen den ungerundeten '
    + 'Zahlen, die Formel zeigt sie gerundet.',
  shifted: 'Hier wird zuerst der größte Score der Zeile von allen abgezogen. Die Gewichte bleiben gleich, aber jede '
    + 'Schwelle τ ist um diesen Score niedriger: τ* = τ − max E.',
  fedBy: 'Berechnet aus',
  cells: plural('n', { one: '1 Zelle', other: '# Zellen' }),
  position: 'Zeile { $row }, Spalte { $column } von', positionRow: 'Eintrag { $column } von',
  expand: 'Aufklappen', collapse: 'Zuklappen', show: 'Regler zeigen', hide: 'Regler verbergen', change: 'Ändern',

  resetHelp: 'Zum Ausgangspunkt zurückkehren und den Startwert behalten',
  weightsRefused: 'Die Gewichte zu diesem Dokument sind nicht verwendbar: { $why }.',
  weightsMissing: 'Ohne seine Gewichte lässt sich das Modell nicht berechnen. Bitte den Absender um die Datei oder '
    + 'einen neuen Link, oder trainiere das Modell noch einmal.',
  lessonRefused: 'Die Frage dieses Links kann nicht verwendet werden. { $why }',
  weightsNotKept: 'Der Browser hat die Gewichte nicht gespeichert. Sie bleiben, bis du diese Seite schließt. Ziehe '
    + 'die Dateien danach noch einmal auf die Seite.',
  weightsCame: 'Die trainierten Gewichte wurden mit dem Dokument geladen, ohne Rundung.',
  weightsNew: 'Neu und untrainiert: { $names }.',
  weightsRounded: 'Die trainierten Gewichte wurden aus dem Link geladen. Sie sind gerundet: Jedes weicht um höchstens '
    + '{ $most } vom trainierten ab.',
  exampleInstead: 'Stattdessen wird das Beispiel gezeigt.', nothingChanged: 'Dein Dokument ist unverändert.',
  linkRefusedHere: 'Das ließ sich nicht berechnen ({ $message }). Dein Dokument ist unverändert.',
  oneHot: 'One-hot-Merkmale: eine Spalte je Wort; sie tragen keine Bedeutung.',
  sinusoidal: 'Sinusförmige Merkmale: Sie geben nur die Position eines Wortes an.',
  callouts: { words: 'Klicke ein Wort an: Worauf achtet es?', cell: 'Zeige auf eine Zelle: Wie entstand sie?',
    choice: 'Ändere, was du willst' },
  calloutsTouch: { words: 'Tippe ein Wort an: Worauf achtet es?', cell: 'Tippe eine Zelle an: Wie entstand sie?',
    choice: 'Ändere, was du willst' },
  dismissHint: 'Hinweis verwerfen',

  key: 'Key', cutTitle: 'Sortierte Scores der Zeile, bei τ abgeschnitten',
  cut: 'Scores der Zeile, sortiert; die Schwelle τ liegt bei { $level }',
  cutNote: 'Ein Gewicht ist der Teil des Scores über τ; ein Score unter τ gibt genau 0.',
  cutPower: 'Ein Gewicht ist der Teil des Scores über τ, hoch { $power }; ein Score unter τ gibt genau 0.',
  cutShift: 'Das Bild zeigt die Scores ohne die Verschiebung der Formel; darum ist sein τ ({ $level }) das τ* der '
    + 'Formel ({ $tau }) plus der größte Score ({ $most }).',
  moreKeys: plural('n', { one: '1 Key mit niedrigerem Score ist nicht gezeichnet.',
    other: '# Keys mit niedrigeren Scores sind nicht gezeichnet.' }),
  gateTitle: 'Keys, auf die diese Zeile achten darf', letThrough: 'durchgelassen',
  drawsTitle: 'Was gezogen wurde', pickTitle: 'Der gewählte Key', chance: 'Wahrscheinlichkeit', drawn: 'gewählt',
  drawnOf: `in ${plural('n', { one: '1 Ziehung', other: '# Ziehungen' })}`,
  feedsTitle: 'Gebraucht in',
  slopes: 'Gradient', slopesHelp:
    'Unter jeder Eingangszahl: wie sehr diese Zelle je Einheit jener Zahl wächst, bei einer sehr kleinen Änderung.',
  editValue: 'Diese Zahl setzen',
  slopeOf: 'Wie sehr die Summe von { $of } je Einheit dieser Zelle von { $name } wächst, bei sehr kleiner Änderung.',
  toTheCell: 'Die Zelle selbst zeigen', gradientOf: 'Gradient nach { $name }',
  gradientToggle: 'Gradient von „{ $of }“ bezüglich „{ $name }“',

  walkTitle: 'Schritt { $at } von { $of }',
  walkChanged: `{ $n } von ${plural('of', { one: '1 Zelle', other: '# Zellen' })} geändert`,
  walkNew: 'neu', walkFedBy: 'berechnet aus', walkStop: 'Alles zeigen',
  walkHelp: 'Leertaste spielt oder hält an, Pfeile gehen weiter, Escape zeigt alles.',

  compare: 'Vergleichen', bothTitle: 'A und B', compareStop: 'Vergleich beenden',
  giveParameters: '{ $to } die Parameter von { $from } geben',
  giveParametersNote: 'Kopiert die Parameter mit gleichem Namen und gleicher Form; dann unterscheidet sich nur der '
    + 'Mechanismus.',
  unlikeShapes: 'Nicht kopiert, weil ihre Formen in A und B verschieden sind: { $names }.',
  side: '{ $side } ändern',
  sideChosen: 'Die Regler ändern { $side }', sideHelp: 'Beide haben dieselben Eingaben und denselben Startwert.',
  compareSame: 'B ist noch gleich A. Ändere eine Einstellung, um hier seine Wirkung zu sehen.',
  difference: 'B − A', differenceNote: 'warm: B gibt mehr Gewicht; kühl: A', sharedScale: 'gemeinsam für A und B',
  row: 'Zeile',
  rowOfBoth: 'A gefüllt, B umrandet', overRows: plural('n', { one: 'Über die Zeile', other: 'Über die # Zeilen' }),
  exactZeros: 'Exakte Nullen unter { $n } unmaskierten Gewichten',
  largestGapWeights: 'Größtes |Δ| der Gewichte', largestGapContext: 'Größtes |Δ| des Kontexts', at: 'bei { $place }',
  modelSides: '„A und B“ vergleicht einzelne Attention-Module oder Varianten eines Modells aus deinen eigenen '
    + 'Dateien; dieses Modell hat mehrere Module. Vergleiche seine '
    + 'Varianten unter „Trainieren“, „Mehrere zugleich“, oder öffne ein einzelnes Attention-Modul aus der Galerie.',
  unlike: 'A und B haben keine Gewichte derselben Form, darum gibt es keine Differenz Zelle für Zelle.',
  compareFailed: '{ $side } lässt sich hier nicht berechnen: { $message }',

  samplingTitle: 'Gezogen', samplingText: 'Diese Gewichte sind zufällig gezogen. Derselbe Startwert zieht '
    + 'wieder dieselben Gewichte.',
  samplingChances: 'Wahrscheinlichkeiten', samplingDraw: plural('of', { one: 'Die Ziehung', other: 'Ziehung { $n } '
    + 'von #' }),
  samplingAverage: plural('n', { one: 'Mittel aus 1 Ziehung', other: 'Mittel aus # Ziehungen' }),
  samplingGap: 'Mittel − Wahrscheinlichkeiten',
  samplingFurthest: 'größter Abstand zu den Wahrscheinlichkeiten: { $gap }', samplingUsed: 'Die Gewichte',
  samplingData: 'Zufällig gezogen: { $name }',
  samplingMore: 'Mit mehr Ziehungen kommt das Mittel den Wahrscheinlichkeiten näher.',
  previousDraw: 'Vorige Ziehung',
  nextDraw: 'Nächste Ziehung',


  openWhole: 'Im Spielplatz öffnen',
  srcFailed: 'Das Dokument unter { $address } ließ sich nicht laden, darum wird das Beispiel gezeigt.',
  refused: 'WebAssembly ist hier nicht erlaubt, darum lässt sich nichts berechnen. Das Bild zeigt ein vorab '
    + 'berechnetes Beispiel.',
  unfetched: 'Die Dateien zum Rechnen ließen sich nicht laden, darum lässt sich nichts berechnen. Hat die Website eine '
    + 'Content Security Policy, muss deren connect-src sie erlauben. Das Bild zeigt ein vorab berechnetes Beispiel.',
  lost: 'Dieser Teil der Seite ließ sich nicht laden. Prüfe die Verbindung und versuche es erneut.',
  language: 'Sprache',


  standing: 'In der Taxonomie der Übersichtsarbeit', thisIs: 'An diesen Koordinaten:',
  fused: 'Vom fusionierten Kernel berechnet, Kachel für Kachel; er speichert nie die ganzen Matrizen der Scores und '
    + 'Gewichte.',
  noSystem: 'Kein veröffentlichtes System auf unserer Liste hat genau diese Koordinaten.',
  nearest: 'Das nächste, { $title }, unterscheidet sich in { $names }.',
};
export default words;
