// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import { language } from '../strings/language.ts';
import type { words as en } from './words/en.ts';

// No sentences are among these words, so the first picture needs no code for sentences.
const all = import.meta.glob<typeof en>('./words/*.ts', { eager: true, import: 'words' });

/** Whether a lecture has something to show: where one trains, only maps. */
export const lectures = ({ view, trainings }: Store): boolean => view.place !== 'train' || trainings.mapped.value;

/** The names of the page's places and of what one takes from them, in its language. */
export const places = (): typeof en => ({ ...all['./words/en.ts']!, ...all[`./words/${language()}.ts`] });
