// SPDX-License-Identifier: Apache-2.0

// The first picture shows the names of the page's places, so this file has only these.
export const words = {
  places: 'Parts of the page', look: 'Look', train: 'Train', compare: 'Compare', sides: 'A and B', home: 'Take home',
  lecture: 'Lecture mode',
};
