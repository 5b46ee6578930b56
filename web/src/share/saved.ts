// SPDX-License-Identifier: Apache-2.0
import { keptFile } from '../engine/kept.ts';
import { base64 } from '../files/base64.ts';
import { ownNames } from '../state/local-weights.ts';
import { type Seen, seenOf } from '../state/link-view.ts';
import type { Store } from '../state/store.ts';

// Of what is looked at a file keeps where that is: a document that has words only in training opens nowhere else.
const placeOf = (seen: Seen | undefined): Seen | undefined =>
  (seen?.place === 'train' ? { place: 'train' } : undefined);

/** The files of weights that are too large to stand in the document's own: they are saved beside it, by their names. */
export async function filesBeside({ documents: { document }, comparison: { held } }: Store): Promise<[string, Blob][]> {
  const files = await Promise.all(ownNames(document, held).map(async (name) => [name, await keptFile(name)] as const));
  return files.filter((one): one is [string, Blob] => one[1] instanceof Blob);
}

/**
 * The page's document as a file: with the other side of a comparison, and with the weights that only this browser has,
 * unchanged. `looks`: it opens with what is looked at, too.
 */
export async function savedText(store: Store, looks = false): Promise<string> {
  const { documents: { document }, comparison: { held } } = store;
  const files: Record<string, string> = {};
  for (const name of ownNames(document, held)) {
    const file = await keptFile(name);
    if (file && !(file instanceof Blob)) files[name] = base64(file);
  }
  const seen = looks ? seenOf(store) : placeOf(seenOf(store));
  return `${JSON.stringify({ ...document, ...(held ? { compare: held } : {}), ...(seen ? { seen } : {}),
    ...(Object.keys(files).length > 0 ? { weights: files } : {}) }, null, 2)}\n`;
}
