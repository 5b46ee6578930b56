// SPDX-License-Identifier: Apache-2.0
// Parts of the page that are fetched when somebody needs them.
import { Later, whilePending } from '../lazy-fetch.ts';
import type { Store } from '../state/store.ts';

export const catalogue = new Later(() => import('attention-catalogue'));
export const sheets = new Later(() => import('../shell/sheet.ts'));
export const links = new Later(() => import('../state/hash.ts'));
/** Takes in weights that come with a document. */
export const arrivals = () => whilePending(import('../state/incoming-weights.ts'));
/** Tells the files of a model of another program from all others. */
export const models = () => import('../models/kinds.ts');
/** Finds them in folders. */
export const folders = () => import('../models/folder.ts');
/** Reads those files, in a worker of its own. */
export const modelReader = () => import('../models/open.ts');
/** The steps of a lecture in an embed. */
export const moments = () => import('../embed/moments.ts');
/** The other places of the page. */
export const others = {
  train: new Later(() => import('../train/train.ts')),
  compare: new Later(() => import('../efficient/place.ts')),
};
export const absent = new Later(() => import('../models/absent.ts'), false);
export const lessons = new Later(() => import('../lessons/player.ts'), false);
export const compact = new Later(() => import('../embed/compact.ts'), false);

/** Fetches what another place of the page needs; whether it came. */
export async function fetchedFor(place: keyof typeof others, store: Store): Promise<boolean> {
  const [part, whole] = await Promise.all([others[place].wanted(true), store.learn()]);
  return part !== undefined && whole;
}
