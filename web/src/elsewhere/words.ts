// SPDX-License-Identifier: Apache-2.0
import { spoken } from '../strings/part.ts';
import type { words as en } from './words/en.ts';

/** The words of this part, in the language of the page. */
export const words = spoken<typeof en>(import.meta.glob('./words/*.ts', { eager: true, import: 'words' }));
