// SPDX-License-Identifier: Apache-2.0
import { waitsForModel } from '../engine/encoder.ts';
import { lacking } from '../lazy-fetch.ts';
import type { Page } from '../shell/main-column.ts';
import type { Store } from '../state/store.ts';
import { drawn, isWaiting, rank } from '../turns.ts';

// Milliseconds that the page waits for the first answer, and then for all that is drawn from it. After that the page
// shows what it has.
const LONGEST = { answer: 10_000, parts: 3000 };
// What is drawn when it comes into sight is asked for in the frames after those in which the rest was drawn.
const CALM = 4;
// Milliseconds for a frame where none is shown, as behind another tab.
const HIDDEN = 100;

const frame = () => new Promise<void>((resolve) => {
  requestAnimationFrame(() => resolve());
  setTimeout(resolve, HIDDEN);
});

// The engine has answered, or the page shows something else that needs no answer. The other places of the page have
// workers of their own.
function answered({ sessions, documents, view }: Store, root: ParentNode): boolean {
  if (view.place !== 'look')
    return root.querySelector<Element & { ready?: boolean }>('ap-train, ap-efficient')?.ready === true;
  return waitsForModel(documents.document) || (!sessions.busy && (sessions.result ?? sessions.error) !== undefined);
}

const complete = ({ explanations }: Store): boolean =>
  !lacking() && !isWaiting() && !explanations.waiting && document.fonts.status !== 'loading';

async function calm(is: () => boolean, longest: number): Promise<void> {
  const end = performance.now() + longest;
  for (let frames = 0; frames < CALM && performance.now() < end; frames = is() ? frames + 1 : 0) await frame();
}

// Settles when a document that did not come with the page is drawn in it, with all parts that its picture needs.
async function opened({ store, renderRoot: root }: Page): Promise<void> {
  await calm(() => answered(store, root), LONGEST.answer);
  await calm(() => answered(store, root) && complete(store), LONGEST.parts);
}

/**
 * Shows what is drawn for the first time when all of it is there, so that nothing is seen to move. `pictured`: its
 * picture came with the page.
 */
export async function arrive(page: Page, pictured: boolean): Promise<void> {
  page.setAttribute('arriving', 'picture');
  await page.updateComplete;
  await (pictured ? drawn(rank.picture) : opened(page));
  page.setAttribute('arriving', 'around');
  await drawn(rank.around);
  page.removeAttribute('arriving');
}
