// SPDX-License-Identifier: Apache-2.0
// Words for the records beside the mechanisms. They are fetched when something shows one, since most readers see none.
import { records as found } from 'virtual:languages';
import { whilePending } from '../lazy-fetch.ts';
import { type Language, language } from './language.ts';

/** The words of a measure: title, sentence, what it tells. */
export interface MeasureWords {
  title: string;
  sentence: string;
  tells: string;
}

/** The words of a task: title, what is asked, what the weights show, and its kinds of sources by an example of each. */
export interface TaskWords {
  title: string;
  sentence: string;
  shows: string;
  forms?: Readonly<Record<string, string>>;
}

/** The words of a system. */
export interface SystemWords {
  title: string;
  /** What to know and to try. */
  says: string;
  /** Where it is simpler than its paper, in the record's order: both documents, the untrained one, the trained one. */
  simplified?: readonly string[];
  untrained?: readonly string[];
  trained?: readonly string[];
  /** By dimension: why it stands elsewhere than the survey says. */
  differs?: Readonly<Record<string, string | undefined>>;
}

/** By id, what a record says in another language (data/catalogue). */
export interface RecordWords {
  measures: Readonly<Record<string, MeasureWords | undefined>>;
  tasks: Readonly<Record<string, TaskWords | undefined>>;
  systems: Readonly<Record<string, SystemWords | undefined>>;
}

/** The languages that have such words; English comes with the records. */
export const records: Readonly<Record<Language, () => Promise<RecordWords>>> = found;

const kept = new Map<Language, RecordWords>();
const asked = new Map<Language, Set<{ requestUpdate(): void }>>();
// Languages whose words did not load once: English is shown, and nobody waits for them again.
const lost = new Set<Language>();

/** The words in the reader's language if they are here; otherwise they are fetched, and the host draws itself anew. */
export function recordWords(host: { requestUpdate(): void }): RecordWords | undefined {
  const code = language();
  const load = records[code];
  if (!load || kept.has(code)) return kept.get(code);
  const waiting = asked.get(code);
  if (waiting) waiting.add(host);
  else {
    const hosts = new Set([host]);
    asked.set(code, hosts);
    const there = (words: RecordWords | undefined) => {
      if (words) kept.set(code, words);
      asked.delete(code);
      const again = words !== undefined || !lost.has(code);
      if (!words) lost.add(code);
      if (again) for (const one of hosts) one.requestUpdate();
    };
    // Without them the words stay English.
    whilePending(load()).then(there, () => there(undefined));
  }
  return undefined;
}

/** Whether words in the reader's language are on their way: until then a host shows none, rather than English ones. */
export const recordsComing = (): boolean => asked.has(language()) && !lost.has(language());
