// SPDX-License-Identifier: Apache-2.0
import { partWords } from '../strings/part.ts';
import type { words as en } from './knob-words/en.ts';

/** What is said of a knob's number that is refused, or left out, in the language of the page. */
export const words = partWords<typeof en>(import.meta.glob('./knob-words/*.ts', { eager: true, import: 'words' }));
