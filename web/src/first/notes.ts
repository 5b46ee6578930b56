// SPDX-License-Identifier: Apache-2.0
// What each preset is and what to notice in it, by the preset's title; all languages together are smaller than one
// formula's fonts.
import type { Language } from '../strings/language.ts';
import type { Note } from './notice.ts';

type Notes = Record<string, string[]>;
const all = import.meta.glob<Notes>('./notes/*.json', { eager: true, import: 'default' });
const of = (language: Language): Notes => all[`./notes/${language}.json`] ?? {};

export function noteOf(title: string, language: Language): Note | undefined {
  const [is, see] = of(language)[title] ?? of('en')[title] ?? [];
  return is === undefined || see === undefined ? undefined : { is, see };
}
