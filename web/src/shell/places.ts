// SPDX-License-Identifier: Apache-2.0
import { type Language, language } from '../strings/language.ts';

// The first picture shows these: the words of the places themselves come with them.
const all: Record<Language, { places: string; look: string; train: string; compare: string; sides: string }> = {
  en: { places: 'Places of the page', look: 'Look', train: 'Train', compare: 'Compare', sides: 'A and B' },
  de: { places: 'Orte der Seite', look: 'Ansehen', train: 'Trainieren', compare: 'Vergleichen', sides: 'A und B' },
  ar: { places: 'أماكن الصفحة', look: 'انظر', train: 'درّب', compare: 'قارن', sides: 'أ وب' },
};

/** The names of the page's places, in its language. */
export const places = (): (typeof all)['en'] => all[language()];
