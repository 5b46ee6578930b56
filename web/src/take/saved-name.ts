// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import { titleOf } from '../state/model.ts';
import { fileName, plain } from '../state/save.ts';
import type { Store } from '../state/store.ts';
import { systemTitle } from '../state/system-title.ts';
import { asTitled } from './changed-title.ts';

interface Saver {
  readonly store: Store;
  requestUpdate(): void;
}

/**
 * The name of a file that a part of the page saves: the document's title as the page shows it, then what the file
 * holds, both in the reader's words.
 */
export function savedName(part: Saver, ending: string, what = '', document: Doc = asTitled(part.store)): string {
  const { book, view } = part.store;
  const title = titleOf(document);
  const shown = title === undefined ? document : { ...document, title: systemTitle(book, title, part) };
  return fileName(shown, ending, plain(what), view.lesson);
}
