// SPDX-License-Identifier: Apache-2.0
import { type Language, language } from '../strings/language.ts';

// The first picture shows these: the words of the places themselves come with them.
const all: Record<Language, { places: string; look: string; train: string }> = {
  en: { places: 'Places of the page', look: 'Look', train: 'Train' },
  de: { places: 'Orte der Seite', look: 'Ansehen', train: 'Trainieren' },
  ar: { places: 'أماكن الصفحة', look: 'انظر', train: 'درّب' },
};

/** The names of the page's places, in its language. */
export const places = (): (typeof all)['en'] => all[language()];
