// SPDX-License-Identifier: Apache-2.0
import type { DialogName } from '../dialog/list.ts';
import { whilePending } from '../lazy-fetch.ts';
import { focusMain, type Page } from './main-column.ts';
import { lectures } from '../places/places.ts';

// Where text is typed, the browser undoes by itself; a slider or a switch has nothing to undo.
const PRESSED = ['range', 'checkbox', 'radio'];
const typed = (at: EventTarget): boolean =>
  (at instanceof HTMLInputElement && !PRESSED.includes(at.type)) || at instanceof HTMLTextAreaElement;

/** The keys of the whole page: undo and redo, P for the lecture, and Shift P keeps a moment for it. */
export function shortcut(event: KeyboardEvent, page: Page, open: (what: DialogName) => void): void {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const wanted = command ? 'z' : 'p';
  if (key !== wanted || event.altKey || event.defaultPrevented || event.composedPath().some(typed)) return;
  event.preventDefault();
  const { store } = page;
  if (!command && event.shiftKey) void whilePending(import('../lecture/keep.ts').then(({ keep }) => keep(store)));
  else if (!command && lectures(store)) open('lecture');
  else if (!command) return;
  else if (event.shiftKey) store.documents.redo();
  else store.documents.undo();
  // What had the focus may be gone with what is undone.
  if (command) requestAnimationFrame(() => page.shadowRoot!.activeElement ?? focusMain(page));
}
