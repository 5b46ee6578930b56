// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import { spoken } from '../strings/part.ts';
import type { words as en } from './words/en.ts';

/** Whether a lecture has something to show: where one trains, only maps. */
export const lectures = ({ view, trainings }: Store): boolean => view.place !== 'train' || trainings.mapped.value;

/** The names of the page's places and of what one takes from them, in its language. */
export const places = spoken<typeof en>(import.meta.glob('./words/*.ts', { eager: true, import: 'words' }));
