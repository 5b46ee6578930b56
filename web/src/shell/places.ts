// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import { type Language, language } from '../strings/language.ts';

// The first picture shows these: the words of the places themselves come with them.
interface Places {
  places: string;
  look: string;
  train: string;
  compare: string;
  sides: string;
  home: string;
  lecture: string;
}

const all: Record<Language, Places> = {
  en: { places: 'Places of the page', look: 'Look', train: 'Train', compare: 'Compare', sides: 'A and B',
    home: 'Take home', lecture: 'Lecture mode' },
  de: { places: 'Bereiche der Seite', look: 'Ansehen', train: 'Trainieren', compare: 'Vergleichen', sides: 'A und B',
    home: 'Mitnehmen', lecture: 'Vortrag' },
  ar: { places: 'أقسام الصفحة', look: 'انظر', train: 'درّب', compare: 'قارن', sides: 'A و B', home: 'خذه معك',
    lecture: 'وضع المحاضرة' },
};

/** Whether a lecture has something to show: where one trains, only maps. */
export const lectures = ({ view, trainings }: Store): boolean => view.place !== 'train' || trainings.mapped.value;

/** The names of the page's places and of what one takes from them, in its language. */
export const places = (): Places => all[language()];
