// SPDX-License-Identifier: Apache-2.0
import { Later, whilePending } from '../lazy-fetch.ts';
import type { DialogsElement } from './dialogs.ts';
import { fieldIn, holdKeys } from './hold.ts';
import type { DialogName } from './list.ts';

const dialogs = new Later(() => import('./dialogs.ts'));

/** The part of the page that shows its dialogs. */
export const dialogsIn = (root: ParentNode): DialogsElement | null => root.querySelector<DialogsElement>('ap-dialogs');

/** Fetches a dialog when the pointer comes to its button, so that it is here by the press. */
export const expectDialog = (what: DialogName): void =>
  void dialogs.fetch().then(({ fetchDialog }) => fetchDialog(what)).catch(() => undefined);

/** Opens a dialog once it is fetched, and gives its search what the reader typed in the meantime. */
export async function openDialog(root: ParentNode, what: DialogName, given?: unknown): Promise<void> {
  const release = holdKeys();
  const shown = dialogs.wanted(true).then((part) => part && dialogsIn(root)?.show(what, given));
  await whilePending(shown.finally(() => release(root instanceof ShadowRoot ? fieldIn(root) : undefined)));
}
