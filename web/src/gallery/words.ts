// SPDX-License-Identifier: Apache-2.0
import { type Language, language } from '../strings/language.ts';
import { words as ar } from './words/ar.ts';
import { words as de } from './words/de.ts';
import { words as en } from './words/en.ts';

const all: Record<Language, typeof en> = { en, de, ar };

/** The words of this part, in the language of the page. */
export const words = (): typeof en => all[language()];
