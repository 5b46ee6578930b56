// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  unknown: 'Diese Seite hat keine Lektion „{ $id }“. Das sind ihre Lektionen.',
  unknownStep: `Diese Lektion hat keinen Schritt { $step }. Sie hat ${plural('of', { one: '1 Schritt',
    other: '# Schritte' })} und beginnt hier.`,
  without: 'Der Link hat diesen Schritt geöffnet. Was du in den Schritten davor änderst, ist hier nicht geschehen.',
  through: 'Keine Lektion handelt von „{ $search }“. Diese benutzen einen Baustein, der so heißt: { $parts }.',
  changed: 'Du hast diesen Schritt getan. Die Seite hat sich seitdem geändert, deshalb gilt seine Erklärung nicht '
    + 'mehr. Nimm die Änderung zurück, um sie wieder zu lesen.',
  copyLink: 'Link kopieren', address: 'Adresse dieses Schritts',
};
