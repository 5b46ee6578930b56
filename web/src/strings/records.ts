// SPDX-License-Identifier: Apache-2.0
// Words for the records beside the mechanisms. They are fetched when something shows one, since most readers see none.
import { whilePending } from '../later.ts';
import { type Language, language } from './language.ts';

/** By id, what a record says in another language. */
export interface RecordWords {
  /** Title, sentence, what it tells. */
  measures: Record<string, string[]>;
  /** Title, what is asked, what the weights show. */
  tasks: Record<string, string[]>;
  /** Title, and what to know and to try. */
  systems: Record<string, string[]>;
  /** Of a system: where it is simpler than its paper, in the record's order. */
  simplified: Record<string, string[]>;
  /** Of a system, by dimension: why it stands elsewhere than the survey says. */
  differs: Record<string, Record<string, string>>;
}

/** The languages that have such words; English comes with the records. */
export const records: Partial<Record<Language, () => Promise<RecordWords>>> = {
  de: async () => (await import('./records/de.json')).default,
  ar: async () => (await import('./records/ar.json')).default,
};

const kept = new Map<Language, RecordWords>();
const asked = new Map<Language, Set<{ requestUpdate(): void }>>();

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
      if (words) for (const one of hosts) one.requestUpdate();
    };
    // Without them the words stay English.
    whilePending(load()).then(there, () => there(undefined));
  }
  return undefined;
}
