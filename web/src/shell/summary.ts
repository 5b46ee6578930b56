// SPDX-License-Identifier: Apache-2.0
import type { Notice } from '../state/notice.ts';
import type { Received } from '../page/incoming-link.ts';
import type { Store } from '../state/store.ts';
import { textOf } from '../strings/displayed-word.ts';

export type Size = 'wide' | 'medium' | 'drawer' | 'narrow';
export const sizeOf = (width: number): Size =>
  (width >= 1280 ? 'wide' : width >= 960 ? 'medium' : width >= 600 ? 'drawer' : 'narrow');

/** What a document chooses, in the catalogue's words, for where there is no room for its controls. */
export const summaryOf = ({ book, documents }: Store): string =>
  book.choices(documents.document).map((choice) => choice.mechanism?.title).filter(Boolean).join(' · ');

/** The words that a document reads, input by input, or what its rows are called; of other numbers their name. */
export const sentenceOf = ({ documents }: Store): string =>
  Object.entries(documents.document.inputs).map(([name, { tokens, labels }]) => {
    const words: unknown = tokens ?? labels;
    return Array.isArray(words) ? textOf(words.map(String)) : name;
  }).join(' · ');

const saidOf = { damaged: 'linkDamaged', version: 'linkVersion', hostile: 'linkHostile',
  modules: 'linkModules', half: 'linkHalf' } as const;

/** What is said of a document that could not be read: from an attribute of the element, or from the address bar. */
export function problemOf(found: Extract<Received, { problem: string }>, attribute: boolean, seen: boolean): Notice[] {
  const next: Notice = { key: seen ? 'nothingChanged' : 'exampleInstead' };
  if (found.problem === 'weights') return [{ key: 'weightsRefused', values: [found.why], quoted: true }, next];
  return attribute ? [{ key: 'attributeDamaged' }] : [{ key: saidOf[found.problem] }, next];
}
