// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  places: 'Bereiche der Seite', look: 'Ansehen', train: 'Trainieren', compare: 'Vergleichen', sides: 'A und B',
  home: 'Mitnehmen', lecture: 'Vortrag',
};
