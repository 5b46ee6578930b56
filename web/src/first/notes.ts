// SPDX-License-Identifier: Apache-2.0
// What each preset is and what to notice in it, by the preset's title; all languages together are smaller than one
// formula's fonts.
import type { Language } from '../strings/language.ts';
import ar from './notes/ar.json';
import de from './notes/de.json';
import en from './notes/en.json';
import type { Note } from './notice.ts';

const all: Record<Language, Record<string, string[]>> = { en, de, ar };

export function noteOf(title: string, language: Language): Note | undefined {
  const [is, see] = all[language][title] ?? [];
  return is === undefined || see === undefined ? undefined : { is, see };
}
