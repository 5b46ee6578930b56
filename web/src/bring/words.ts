// SPDX-License-Identifier: Apache-2.0
import { spoken } from '../strings/part.ts';
import { words as ar } from './words/ar.ts';
import { words as de } from './words/de.ts';
import { words as en } from './words/en.ts';

/** What is said of matrices that come with their names, and of the forms that are read. */
export const words = spoken(en, { de, ar });
