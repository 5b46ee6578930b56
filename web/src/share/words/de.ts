// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'QR-Code des Links',
  called: 'QR-Code mit dem Link zu dieser Seite',
  enlarge: 'Fenster füllen',
  smaller: 'Großen QR-Code schließen',
  save: 'QR-Code speichern',
  file: 'QR-Code',
  tooLong: `Der Link hat ${plural('n', { one: '1 Byte', other: '# Bytes' })}. Ein QR-Code fasst höchstens { $most }. `
    + 'Schicke den Link oder die Datei.',
};
