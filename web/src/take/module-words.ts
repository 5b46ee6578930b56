// SPDX-License-Identifier: Apache-2.0
import { spoken } from '../strings/part.ts';
import { words as ar } from './module-words/ar.ts';
import { words as de } from './module-words/de.ts';
import { words as en } from './module-words/en.ts';

/** The words of modules as code, in the language of the page. */
export const words = spoken(en, { de, ar });
