// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  later: 'Gestrichelte Linien: Ergebnisse, die ein Schritt an den nächsten weitergibt.',
  takes: 'nimmt',
  from: 'von',
  of: '{ $what } von { $name }',
  gives: 'liefert an',
  wire: '{ $from } liefert an { $to }',
  wireAs: '{ $from } liefert an { $to }: { $what }',
};
