// SPDX-License-Identifier: Apache-2.0
import type { Strings } from './language.ts';
import { either, plural } from './message.ts';

/** Words of the dialogs and of what one takes home. */
export const dialogs: Pick<Strings, 'gallery' | 'sharing' | 'take' | 'bring'
  | 'embed' | 'learn' | 'cost' | 'mapRow'> = {
  gallery: {
    open: 'Galerie', now: 'Galerie; jetzt: { $title }',
    edits: plural('n', { one: '1 Änderung', other: '# Änderungen' }), current: 'jetzt',
    find: 'System, Arbeit oder Idee suchen', all: 'Alle { $n }',
    groups: { translation: 'Übersetzung', transformers: 'Transformer', models: 'Ganze Modelle',
      sparse: 'Dünn besetzt, hart',
      documents: 'Dokumente', several: 'Mehrere Eingaben', efficient: 'Effizient, Bilder' },
    none: 'Kein Treffer. Versuche einen Autor, ein Jahr oder den Namen eines Mechanismus.',
    keep: 'Meine Wörter, mein Bild und den Startwert behalten',
    undo: 'Rückgängig stellt dein Dokument wieder her.', bring: 'Datei öffnen oder Zahlen einfügen',
    found: plural('n', { one: '1 Vorlage', other: '# Vorlagen' }), waiting: 'Die Vorlagen werden geladen …',
  },
  sharing: {
    open: 'Teilen', title: 'Dieses Experiment teilen',
    holds: 'Im Link:', lacks: 'Nicht im Link:',
    document: 'dein Dokument: Wörter, Zahlen, Auswahl und Startwert', other: 'die andere Seite des Vergleichs',
    weightsExact: plural('n', { one: '1 trainiertes Gewicht, nicht gerundet',
      other: '# trainierte Gewichte, nicht gerundet' }),
    weightsRounded: `${plural('n', { one: '1 trainiertes Gewicht', other: '# trainierte Gewichte' })}, ${
      either('code', { half: 'auf halbe Genauigkeit gerundet',
      bytes: 'auf 8 Bit mit einer Skala je Spalte gerundet' })}: Ein Gewicht `
      + 'ändert sich um höchstens { $most }',
    view: 'deine Ansicht: { $list }',
    viewed: { place: 'der Teil der Seite', many: 'die Zahl der zufälligen Wörter',
      beside: 'das System, mit dem verglichen wird', view: 'die Art des Bildes',
    module: 'das Modul',
      stage: 'die Stufe', walk: 'der Schritt', table: 'die offene Tabelle', large: 'die vergrößerte Matrix',
      how: 'die aufgeklappte Berechnung', chosen: 'der gewählte Kopf', lock: 'die festgehaltene Zelle',
      pins: 'die behaltenen Farbskalen', slopes: 'die gezeigten Gradienten' },
    tooMany: `${plural('n', { one: 'das trainierte Gewicht', other: 'die # trainierten Gewichte' })}: Der Link `
      + 'wäre länger als { $most } KB. Sende die Datei; sie enthält sie.',
    missing: 'die trainierten Gewichte „{ $name }“: Dieser Browser hat sie nicht. Bitte den Absender des Dokuments um '
      + 'dessen Datei.',
    shipped: 'die trainierten Gewichte „{ $name }“: sie gehören zu dieser Seite',
    untaken: 'was das Training unter „Trainieren“ bis Schritt { $step } gelernt hat', takeIt: 'Gelerntes hinzufügen',
    lesson: 'die Lektion und dein Fortschritt darin',
    page: 'Sprache und Farben der Seite und deine Schritte zum Rückgängigmachen',
    nowhere: 'Auf keinem Server wird etwas gespeichert.',
    tooManyTitle: 'Dieser Link hat keine trainierten Gewichte: Sende die Datei.',
    checking: 'Es wird geprüft, was in den Link passt …', fileFailed: 'Die Datei konnte nicht erzeugt werden.',
    link: 'Link', copy: 'Kopieren', copied: 'Kopiert',
    copyFailed: 'Der Browser hat den Text nicht kopiert. Er ist markiert: Drücke Strg+C oder ⌘C.',
    send: 'Senden …', length: plural('n', { one: '1 Zeichen', other: '# Zeichen' }),
    long: 'Manche Programme kürzen Links über { $most } Zeichen. Sende stattdessen die Datei; der Empfänger zieht sie '
      + 'auf die Seite.',
    question: 'Mit einer Frage, die die Seite prüft',
    noQuestion: 'Der Link oben in diesem Fenster enthält deine Frage nicht: Kopiere diesen hier.',
    newSeed: 'Wer den Link öffnet, bekommt einen anderen zufälligen Startwert',
    markdown: 'Als Markdown', file: 'Als Datei speichern',
    oneSide: 'Die Datei enthält nur die Seite, die die Regler ändern, nicht die andere Seite.',
    fileHolds: either('what', { both: 'Die Datei enthält das Dokument, die andere Seite des Vergleichs und alle '
      + 'trainierten Gewichte, nicht gerundet.',
      weights: 'Die Datei enthält das Dokument und alle trainierten Gewichte, nicht gerundet.',
      other: 'Die Datei enthält das Dokument und die andere Seite des Vergleichs.',
      document: 'Die Datei enthält das Dokument.' }),
    beside: 'Die Gewichte werden als zweite Datei gespeichert: { $name }. Ziehe beide Dateien zusammen auf die Seite, '
      + 'um sie zu öffnen.',
    untitled: 'Attention-Experiment',
  },
  take: {
    open: 'Bild, Zahlen, Code', title: 'Bild, Zahlen oder Code speichern',
    tabs: { picture: 'Bild', numbers: 'Zahlen', code: 'Formel und Code' },
    what: 'Was gezeichnet wird', slice: 'Schnitt', colours: 'Farben', light: 'Hell', dark: 'Dunkel',
    preview: 'Vorschau des Bildes', svg: 'Als SVG speichern', png: 'Als PNG speichern',
    pictureNote: 'Das PNG hat { $wide } mal { $high } Pixel. Unter „Größe und Titel“ legst du die Breite in '
      + 'Zentimetern und die Schriftgröße in Punkt fest.',
    nothing: 'Wähle mindestens eine Matrix.',
    numbersNote: 'Die Dateien enthalten jede berechnete Zahl, in einfacher Genauigkeit, mit ihren Beschriftungen. '
      + 'LaTeX ist gerundet. In der NumPy-Datei sind die Beschriftungen Text-Arrays; about.json nennt die '
      + 'Beschriftungen jeder Achse und enthält das Dokument.',
    all: 'Alles', json: 'JSON', csvZip: 'CSV (zip)', npz: 'NumPy (.npz)', csv: 'CSV',
    groups: { inputs: 'Eingaben', outputs: 'Ausgaben', parameters: 'Parameter', gradients: 'Gradienten',
      steps: 'Schritte' },
    as: '{ $format } von { $name }', formats: { latex: 'LaTeX', pytorch: 'PyTorch', numpy: 'NumPy' },
    codeNotes: {
      latex: 'Jeder Schritt als Formel. Der Code braucht amsmath und amssymb.',
      pytorch: 'Ein Skript, das die Zahlen enthält und ausgibt, was die Seite zeigt.',
      numpy: 'Ein Skript, das die Zahlen enthält und ausgibt, was die Seite zeigt.',
    },
    copy: 'Kopieren', copied: 'Kopiert', save: '{ $ending } speichern',
    refused: 'Dafür gibt es noch keinen Code: { $message }',
    waiting: 'Noch ist nichts berechnet.', failed: 'Die Datei ließ sich nicht erzeugen.',
  },
  bring: {
    title: 'Eigenes verwenden', open: 'Öffnen', openFile: 'Datei oder Zahlen',
    about: 'Wörter, eine Zahlentabelle, ein Bild, ein Modell oder ein hier gespeichertes Experiment. Alle Daten '
      + 'bleiben in deinem Browser.',
    paste: 'Text, CSV oder JSON einfügen', choose: 'Datei wählen',
    drop: 'oder irgendwo auf die Seite ziehen: Text, CSV, JSON, .npy, ein Bild oder dein eigenes Modell '
      + '(GPT-2, BERT, Llama, ViT und andere: safetensors, GGUF, .bin, .pt, ein ganzer Ordner)',
    use: 'Verwenden', asWords: 'Stattdessen als Wörter lesen', into: 'Kommt in', preview: 'Die ersten Zahlen',
    grid: '{ $n } × { $n } Felder',
    foundWords: plural('n', { one: '1 Wort', other: '# Wörter' }),
    foundMatrix: either('named', { yes: '{ $rows } × { $cols } Zahlen, Zeilen mit Namen',
      no: '{ $rows } × { $cols } Zahlen' }),
    foundTensor: '{ $shape } Zahlen',
    foundDocument: either('named', { yes: 'Ein Experiment: { $title }', no: 'Ein Experiment' }),
    honestWords: 'Die Merkmale dieser Wörter sind zufällig oder nach einer Regel berechnet. Das ist kein '
      + 'trainiertes Modell.',
    honestNumbers: 'Die Zahlen werden unverändert verwendet, eine Zeile je Token.',
    honestImage: 'Jedes Feld wird nur durch seine Farben beschrieben. Das ist kein trainiertes Bildmodell.',
    empty: 'Die Eingabe ist leer.',
    tooLong: 'Das ist zu groß, um es hier zu zeigen.',
    tooMany: '{ $rows } × { $cols } Zahlen sind zu viele: höchstens { $most } Zeilen und { $all } Zahlen.',
    noNumbers: 'Es fand sich keine Spalte mit Zahlen.',
    ragged: `Zeile { $row } hat ${plural('found', { one: '1 Zahl', other: '# Zahlen' })}; die erste Zeile hat ${
      ''}{ $wanted }.`,
    notNumber: 'Zeile { $row }, Spalte { $column } enthält „{ $found }“, keine Zahl.',
    badJson: 'Dieses JSON ist nicht lesbar: { $message }',
    halfCharacter: 'Ein Text in diesem JSON enthält ein halbes Zeichen (ein einzelnes Surrogat, etwa \\ud83d allein). '
      + 'Ersetze es durch ein ganzes Zeichen.',
    manyModules: 'Dieses Experiment hat mehr Module, als die Seite zeichnen kann (höchstens { $most }).',
    noDocument: 'Das sind trainierte Gewichte ohne ihr Dokument. Öffne ihr Modell und lade sie dann unter '
      + '„Trainieren“.',
    badWeights: 'Diese Gewichte sind nicht verwendbar: { $message }.',
    notDocument: 'Das sieht nach einem Experiment aus, lässt sich aber nicht so lesen.',
    unknownJson: 'Dieses JSON enthält weder Wörter noch Zahlen noch ein Experiment.',
    unevenJson: 'Die Listen in diesem JSON sind verschieden lang oder enthalten anderes als Zahlen.',
    wrongShape: `Die Form { $shape } passt nicht zu ${plural('n', { one: '1 Zahl', other: '# Zahlen' })}.`,
    notFinite: 'Einer der Werte ist keine endliche Zahl.',
    badNpy: 'Diese .npy-Datei ist nicht verwendbar: { $message }.',
    unreadable: 'Diese Art Datei ist hier nicht lesbar. Wähle Text, CSV, JSON, .npy oder ein Bild.',
  },
  embed: {
    open: 'Einbetten', title: 'Auf die eigene Seite setzen', what: 'Zeigen',
    compact: 'Eine Matrix und ihre Erklärung', full: 'Die ganze Seite', hide: 'Weglassen',
    parts: { header: 'Titelleiste', controls: 'Regler', inputs: 'Wörter', card: 'Erklärung', steps: 'Stufen' },
    readers: 'Leser', fixed: 'können Mechanismus und Eingaben nicht ändern',
    colours: 'Farben', themes: { auto: 'Wie auf dem Gerät des Lesers', light: 'Hell', dark: 'Dunkel' },
    height: 'Höhe in Pixeln', column: 'Spaltenbreite in Pixeln', where: 'Art der Seite',
    measuring: 'Die Höhe wird gemessen. Danach kannst du den Code kopieren.',
    fits: 'Alles passt in { $width } mal { $height } Pixel; eine breitere Spalte braucht weniger Höhe',
    ways: { frame: 'Jede Seite (iframe)', element: 'HTML-Element', myst: 'MyST', jupyter: 'Jupyter, marimo',
      link: 'Adresse' },
    about: {
      frame: 'Für Moodle, Canvas, WordPress, Notion, reveal.js und jede Seite, die ein iframe erlaubt. Es fängt keine '
        + 'Tasten deiner Seite ab und scrollt nur, wenn sein Inhalt höher ist als der Rahmen.',
      element: 'Für eigene Seiten. Die Höhe folgt dem Inhalt, und eine Seite kann mehrere davon enthalten.',
      myst: 'Für MyST und Jupyter Book.',
      jupyter: 'Für ein Notebook, mit dem Paket anywidget; in marimo setze es in mo.ui.anywidget(...).',
      link: 'Für Stellen, die nach einer Adresse zum Einbetten fragen.',
    },
    otherOrigin: 'Liegt deine Seite auf einem anderen Server, muss { $host } bei allen Dateien den Header '
      + 'Access-Control-Allow-Origin senden. Ohne ihn ist kein Bild zu sehen. Ein iframe braucht keinen Header.',
    useFrame: 'Stattdessen iframe verwenden',
    fallback: 'Das interaktive Bild in Attention Playground öffnen',
    code: 'Code zum Einfügen', copy: 'Kopieren', copied: 'Kopiert', marked: 'Markiert: jetzt kopieren',
    alone: 'In neuem Tab öffnen', preview: 'Vorschau zeigen', noPreview: 'Vorschau schließen',
    previewTitle: 'Vorschau dessen, was eingebettet wird',
    beside: `Der Code nennt die Datei { $file }: Speichere sie und lege sie neben deine Seite. Sie enthält ${plural('n',
      { one: 'das trainierte Gewicht', other: 'die # trainierten Gewichte' })}, nicht gerundet.`,
    saveBeside: '{ $file } speichern',
    inside: `Der Code enthält ${plural('n', { one: '1 trainiertes Gewicht', other: '# trainierte Gewichte' })} und hat `
      + '{ $length } Zeichen.',
    insideLong: 'Die Adresse hat { $length } Zeichen. Wenn deine Seite sie abschneidet, wähle „HTML-Element“: Es '
      + 'liest eine Datei.',
    notInside: `${plural('n', { one: 'Das trainierte Gewicht passt',
      other: 'Die # trainierten Gewichte passen' })} nicht in eine Adresse: Wähle „HTML-Element“, das sie aus einer `
      + 'Datei neben deiner Seite liest.',
    large: `In diesem Code ${plural('n', { one: 'fehlt das Gewicht', other: 'fehlen die # Gewichte' })} des Modells, `
      + 'er zeigt also kein Ergebnis. Speichere das Dokument und seine Gewichte unter „Teilen“, lege beide Dateien '
      + 'auf deinen Server und gib sie dem Element des npm-Pakets: das Dokument als `src`, die Gewichte mit '
      + '`configure`.',
  },
  learn: {
    open: 'Fragen', title: 'Fragen', done: '{ $n } von { $of } geschafft', tour: 'Rundgang',
    begin: 'Beginnen', again: 'Noch einmal',
    doneMark: 'geschafft', step: 'Schritt { $n } von { $of }', next: 'Weiter', nextLesson: 'Nächste Lektion',
    all: 'Alle Lektionen',
    leave: 'Verlassen', back: 'Von vorn', skip: 'Überspringen',
    skipped: 'Du hast den letzten Schritt übersprungen. Geh zur nächsten Lektion oder verlasse diese; dann kommt '
      + 'deine Arbeit zurück.',
    where: 'Zeigen, wo', toTask: 'Zurück zur Aufgabe', todo: 'Zu tun', well: 'Geschafft', finished: 'Fertig',
    chapters: { start: 'Erste Schritte', weights: 'Von Scores zu Gewichten', order: 'Reihenfolge und Masken',
      values: 'Values und Ausgaben', cost: 'Kosten und billigere Formen', meaning: 'Was Gewichte bedeuten',
      learning: 'Was Training findet' },
    find: 'Frage suchen', asked: 'Am häufigsten gefragt', none: 'Keine Frage enthält „{ $search }“.',
    about: 'Jede Lektion richtet die Seite ein und endet, wenn du ihre Aufgaben erledigt hast. Verlässt du die '
      + 'Lektion, wird deine Arbeit wiederhergestellt.',
  },
  cost: {
    open: 'Kosten', title: 'Wie die Kosten wachsen',
    about: 'Der Mechanismus dieser Seite, jetzt in deinem Browser mit immer mehr Wörtern gemessen. Ganze '
      + 'Karten werden berechnet, auch Paare, die eine Maske verdeckt. „Vergleichen“ zählt und misst nur den Kontext.',
    runs: 'Durchläufe insgesamt',
    grows: `von { $from } bis ${plural('to', { one: '1 Wort',
      other: '# Wörtern' })} wächst die Zeit wie n{ $time } und der Speicher wie n{ $memory }.`,
    left: `Durchläufe mit weniger als ${plural('n', { one: '1 Wort', other: '# Wörtern' })} berechnen auch, was diese `
      + 'Seite zeigen kann: { $names }. Ab da enthalten Zeit und Speicher das nicht mehr.',
    falls: `Darum ist der Speicher bei ${plural('n', { one: '1 Wort', other: '# Wörtern' })} kleiner als bei `
      + '{ $before }.',
    honest: 'Ein Durchlauf zieht Merkmale und Parameter und berechnet jeden Schritt, den diese Seite zeigen kann, in '
      + 'einem Thread. Von drei Runden zählt die schnellste; ein Durchlauf von 0,1 s oder mehr wird nicht '
      + 'wiederholt. Der Speicher zählt alle diese Zahlen, je vier Byte. '
      + 'Andere Arbeit auf diesem Gerät verlängert die Zeiten. Eine Bibliothek zum Trainieren ist anders gebaut und '
      + 'hat darum andere Zahlen.',
  },
  mapRow: {
    query: 'Query',
    about: 'Die ganze Karte hätte { $rows } × { $keys } Zahlen je Kopf, darum wird nur die Zeile einer Query '
      + 'berechnet. '
      + 'Wähle die Query hier oder drücke auf ein Wort.',
    rowOf: 'Zeile { $row } von { $rows }', oneScale: 'eine Skala', most: 'Am größten',
    help: 'Pfeiltasten gehen von Key zu Key, Bild auf und Bild ab um 100, Enter hält fest, Escape löst.',
  },
};
