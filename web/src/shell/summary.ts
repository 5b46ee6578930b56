// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';

export type Size = 'wide' | 'medium' | 'drawer' | 'narrow';
export const sizeOf = (width: number): Size =>
  (width >= 1280 ? 'wide' : width >= 960 ? 'medium' : width >= 600 ? 'drawer' : 'narrow');

/** What a document chooses, in the catalogue's words, for where there is no room for its controls. */
export const summaryOf = ({ book, documents }: Store): string =>
  book.choices(documents.document).map((choice) => choice.mechanism?.title).filter(Boolean).join(' · ');

/** The words that a document reads, input by input; of numbers their name. */
export const sentenceOf = ({ documents }: Store): string =>
  Object.entries(documents.document.inputs).map(([name, { tokens }]) =>
    (Array.isArray(tokens) ? tokens.slice(0, 40).join(' ') : name)).join(' · ');

/** What the address bar is told of a link that could not be read. */
export const saidOf = { damaged: 'linkDamaged', version: 'linkVersion', hostile: 'linkHostile',
  modules: 'linkModules' } as const;
