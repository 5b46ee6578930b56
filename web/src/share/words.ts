// SPDX-License-Identifier: Apache-2.0
import { partWords } from '../strings/part.ts';
import type { words as en } from './words/en.ts';

/** The words of this part, in the language of the page. */
export const words = partWords<typeof en>(import.meta.glob('./words/*.ts', { eager: true, import: 'words' }));
