// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import { stillHolds } from '../first/notice.ts';
import { isOtherPreset } from '../first/preset-shapes.ts';
import { titleCalled } from '../state/document-title.ts';
import { titleOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

/** Whether the document is no longer what its title names: it was changed here or where its link was made. */
export const isChanged = ({ documents: { base, document } }: Store): boolean =>
  !stillHolds(base, document) || isOtherPreset(base) === true;

/** The document as it leaves the page: the title of a changed one says that it was changed. */
export function asTitled(store: Store): Doc {
  const { documents: { document }, book } = store;
  const title = titleOf(document);
  return title === undefined || !isChanged(store) ? document
    : { ...document, title: strings.story.changed(titleCalled(book, title)) };
}
