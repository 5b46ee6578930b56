// SPDX-License-Identifier: Apache-2.0
import { MOST } from '../state/lecture.ts';
import type { Store } from '../state/store.ts';
import { speaking } from '../strings/live.ts';
import { keepNow } from './looking.ts';
import { words } from './words.ts';

/** So long the page says that a moment was kept. */
const SAID = 4000;

/** Keeps what the page shows as a moment of the lecture, and says so over the foot of the page. */
export async function keep(store: Store): Promise<void> {
  let name: string | undefined;
  if (store.view.place === 'train') {
    const { Learning } = await import('./learning.ts');
    name = new Learning(store).add();
  } else {
    name = keepNow(store);
  }
  const text = speaking(store.view.tongue, () =>
    (name === undefined ? words().full(MOST) : `${words().kept(name)} ${words().pressP}`));
  say(store, text);
}

let shown: HTMLElement | undefined;

function say(store: Store, text: string): void {
  shown?.remove();
  const dark = store.view.theme === 'dark';
  const note = Object.assign(document.createElement('p'), { textContent: text, dir: 'auto' });
  note.setAttribute('role', 'status');
  note.setAttribute('data-part', 'moment-kept');
  Object.assign(note.style, { position: 'fixed', insetInline: '0', bottom: '56px', margin: '0 auto', zIndex: '40',
    width: 'fit-content', maxWidth: '90vw', padding: '10px 16px', borderRadius: '8px', boxShadow: '0 4px 20px #0004',
    font: "400 14px/20px 'Source Sans 3', system-ui, sans-serif",
    background: dark ? '#e9e6df' : '#1d2126', color: dark ? '#15171a' : '#ffffff' });
  document.body.append(note);
  shown = note;
  setTimeout(() => note.remove(), SAID);
}
