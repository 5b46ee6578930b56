// SPDX-License-Identifier: Apache-2.0
// Parts of the page that are fetched when somebody needs them.
import { Later } from './later.ts';

export const dialogs = new Later(() => import('./dialog/dialogs.ts'));
export const catalogue = new Later(() => import('attention-catalogue'));
export const sheets = new Later(() => import('./shell/sheet.ts'));
export const links = new Later(() => import('./state/hash.ts'));
/** The other places of the page. */
export const others = {
  train: new Later(() => import('./train/train.ts')),
  compare: new Later(() => import('./efficient/place.ts')),
};
