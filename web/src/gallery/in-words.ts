// SPDX-License-Identifier: Apache-2.0
// What is said of a system, in the reader's words; English stands where there are none, and says that it is English.
import type { System } from '../engine/types.ts';
import { language } from '../strings/language.ts';
import { prose } from '../strings/prose.ts';
import { said } from '../strings/quote.ts';
import { type RecordWords, recordWords } from '../strings/records.ts';
import { sentences } from './facts.ts';
import { words } from './words.ts';

export interface InWords {
  title: string;
  /** Of the title: English where it is no language of the reader's. */
  lang: 'en' | undefined;
  know: unknown;
  /** Undefined where nothing is to be tried. */
  tryIt: unknown;
  simplified: unknown[];
  /** By dimension of the taxonomy why the document stands elsewhere than the survey. */
  differs: [name: string, why: unknown][];
}

/** Fetches the reader's words if they are not there yet; then the host draws itself anew. */
export const inWords = (system: System, host: { requestUpdate(): void }): InWords => worded(system, recordWords(host));

/** The same from words that are there. */
export function worded(system: System, own: RecordWords | undefined): InWords {
  const { id, says } = system;
  const theirs = own?.systems[id];
  const { title, says: translated } = theirs ?? {};
  const { what, tryIt: tried } = words();
  const { know, tryIt } = translated === undefined ? sentences({ says }) : sentences({ says: translated }, what, tried);
  const shown = (text: string) => (translated === undefined ? said(text) : prose(text));
  // A caveat that English alone has gained would shift those after it.
  const ours = system.simplified ?? [];
  return {
    title: title ?? system.title, lang: title !== undefined || language() === 'en' ? undefined : 'en',
    know: shown(know), tryIt: tryIt ? shown(tryIt) : undefined,
    simplified: theirs?.simplified?.length === ours.length ? theirs.simplified.map((text) => prose(text))
      : ours.map(said),
    differs: Object.entries(system.differs ?? {}).map(([name, why]) => {
      const translation = theirs?.differs?.[name];
      return [name, translation === undefined ? said(why) : prose(translation)];
    }),
  };
}
