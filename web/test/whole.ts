// SPDX-License-Identifier: Apache-2.0
import { languages } from '../src/strings/language.ts';

/** The languages that must have every word and every lesson. In another language, missing words stay English. */
export const WHOLE = ['en', 'de', 'ar'] as const;

/** A language that is known to have files. */
export const about = (code: string) => languages[code]!;
