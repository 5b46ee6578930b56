// SPDX-License-Identifier: Apache-2.0
import { spoken } from '../strings/part.ts';
import { words as ar } from './knob-words/ar.ts';
import { words as de } from './knob-words/de.ts';
import { words as en } from './knob-words/en.ts';

/** What is said of a knob's number that is refused, or left out, in the language of the page. */
export const words = spoken(en, { de, ar });
