// SPDX-License-Identifier: Apache-2.0
import { spoken } from '../strings/part.ts';
import { words as ar } from './words/ar.ts';
import { words as de } from './words/de.ts';
import { words as en } from './words/en.ts';

/** The words of this part, in the language of the page. */
export const words = spoken(en, { de, ar });
