// SPDX-License-Identifier: Apache-2.0
import { sideCalled } from '../compare/side-names.ts';
import type { Doc } from '../engine/types.ts';
import { documentCalled } from '../gallery/document-name.ts';
import { asOpened } from '../part-by-part/other-document.ts';
import { words } from '../part-by-part/words.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

/** A document whose cost is shown. */
export interface Job {
  letter: 'A' | 'B';
  /** In the language of the page, which may change while it is shown. */
  name: () => string;
  document: Doc;
}

/** Both sides of a comparison; else the page's document, and before it the one that was opened if its model changed. */
export function jobsOf(store: Store): Job[] {
  const { comparison, book, documents: { document, base } } = store;
  if (comparison.on) return (['A', 'B'] as const).map((letter) =>
    ({ letter, name: () => sideCalled(store, letter).called, document: comparison.documentOf(letter) }));
  const name = () => documentCalled(book, document) ?? strings.structure.together;
  const own: Job = { letter: 'B', name, document };
  if (JSON.stringify(document['model']) === JSON.stringify(base['model'])) return [own];
  return [{ letter: 'A', name: () => words().opened(name()), document: asOpened(document, base).document }, own];
}
