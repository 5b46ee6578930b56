// SPDX-License-Identifier: Apache-2.0
// A lecture that came with a file or a link is kept for this tab as long as it is shown, so that a reload comes back to
// it.
import { SHOWN } from '../receive.ts';
import type { Lecture } from '../state/lecture.ts';
import { seenOf } from '../state/seen.ts';
import type { Store } from '../state/store.ts';

/** Keeps the lecture, with the moment, the map and the head that are shown; without one, nothing is kept. */
export function keepShown(store: Store, lecture: Lecture | undefined): void {
  try {
    if (!lecture) return sessionStorage.removeItem(SHOWN);
    const { documents: { document }, comparison: { held } } = store;
    const seen = seenOf(store);
    sessionStorage.setItem(SHOWN, JSON.stringify({ ...document, ...(held ? { compare: held } : {}),
      ...(seen ? { seen } : {}), lecture }));
  } catch {
    // Without storage, or with a lecture that has no room there, a reload shows the document.
  }
}
