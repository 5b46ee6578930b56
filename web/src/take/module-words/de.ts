// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

/** The words of modules as code, in German. */
export const words: Translated<typeof english> = {
  kind: 'Was geschrieben wird',
  kinds: { script: 'Skript (dieses Beispiel)', module: 'Modul (Batches, Training)', train: 'Trainingsskript' },
  moduleNotes: {
    pytorch: 'Ein torch.nn.Module für Batches beliebiger Länge, in einer Datei. Seine Gewichte heißen wie hier, '
      + 'also kannst du es in PyTorch weiter trainieren, die Gewichte speichern und auf dieser Seite öffnen.',
    numpy: 'Eine Funktion für Batches beliebiger Länge, in einer Datei, die nur NumPy braucht. '
      + 'Sie liest die gespeicherten Gewichte.',
  },
  trainNote: 'Dieses Skript trainiert model.py, wie es das Training dieses Dokuments vorgibt, in einem Prozess oder '
    + 'in mehreren. '
    + 'Speichere beide Dateien in einem Ordner; am Anfang des Skripts stehen die Befehle.',
  writing: 'Der Code wird geschrieben …',
  beginning: 'Die ganze Datei hat { $size } MB, weil sie alle Zahlen des Modells enthält. Hier steht nur ihr Anfang; '
    + '„Speichern“ und „Kopieren“ geben alles.',
  noModule: 'Dieses Dokument lässt sich nicht als Modul schreiben: { $message }',
  noTraining: 'Dieses Training lässt sich nicht als Skript schreiben: { $message }',
  lost: 'Der Teil, der Module schreibt, ließ sich nicht starten: { $message }',
  script: 'Das Skript dieses Beispiels zeigen',
};
