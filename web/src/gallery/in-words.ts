// SPDX-License-Identifier: Apache-2.0
// What is said of a system, in the reader's words; English stands where there are none, and says that it is English.
import type { System } from '../engine/types.ts';
import { language } from '../strings/language.ts';
import { prose } from '../strings/prose.ts';
import { said } from '../strings/quote.ts';
import { type RecordWords, recordsComing, recordWords } from '../strings/records.ts';
import { sentences } from './facts.ts';
import { words } from './words.ts';

/** Which of a system's two documents is shown: a caveat of one may be wrong of the other. */
export type Form = 'untrained' | 'trained';

export interface InWords {
  title: string;
  /** Of the title: English where it is no language of the reader's. */
  lang: 'en' | undefined;
  know: unknown;
  /** Undefined where nothing is to be tried. */
  tryIt: unknown;
  /** Where it is simpler than its paper, by the document that is shown. */
  simplified: Readonly<Record<Form, unknown[]>>;
  /** By dimension of the taxonomy why the document stands elsewhere than the survey. */
  differs: [name: string, why: unknown][];
}

/** Fetches the reader's words if they are not there yet; then the host draws itself anew. */
export function inWords(system: System, host: { requestUpdate(): void }): InWords {
  const own = recordWords(host);
  return own === undefined && recordsComing() ? nameOf(system) : worded(system, own);
}

// While the reader's words are on their way: names of systems are mostly the same in all languages, sentences are not.
const nameOf = ({ title }: System): InWords => ({ title, lang: 'en', know: '', tryIt: undefined,
  simplified: { untrained: [], trained: [] }, differs: [] });

/** The same from words that are there. */
export function worded(system: System, own: RecordWords | undefined): InWords {
  const { id, says } = system;
  const theirs = own?.systems[id];
  const { title, says: translated } = theirs ?? {};
  const { what, tryIt: tried } = words();
  const { know, tryIt } = translated === undefined ? sentences({ says }) : sentences({ says: translated }, what, tried);
  const shown = (text: string) => (translated === undefined ? said(text) : prose(text));
  const caveats = (part: 'simplified' | Form): unknown[] => {
    const [english, translations] = [system[part] ?? [], theirs?.[part] ?? []];
    // A caveat that English alone has gained would shift those after it.
    return translations.length === english.length ? translations.map((text) => prose(text)) : english.map(said);
  };
  const both = caveats('simplified');
  return {
    title: title ?? system.title, lang: title !== undefined || language() === 'en' ? undefined : 'en',
    know: shown(know), tryIt: tryIt ? shown(tryIt) : undefined,
    simplified: { untrained: [...both, ...caveats('untrained')], trained: [...both, ...caveats('trained')] },
    differs: Object.entries(system.differs ?? {}).map(([name, why]) => {
      const translation = theirs?.differs?.[name];
      return [name, translation === undefined ? said(why) : prose(translation)];
    }),
  };
}
