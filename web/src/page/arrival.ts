// SPDX-License-Identifier: Apache-2.0
import { waitsForModel } from '../engine/encoder.ts';
import { lacking } from '../lazy-fetch.ts';
import type { Store } from '../state/store.ts';
import { isWaiting } from '../turns.ts';

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

// The engine has answered; or the page shows something else that needs no answer.
function answered({ sessions, documents, view }: Store): boolean {
  return view.place !== 'look' || waitsForModel(documents.document)
    || (!sessions.busy && (sessions.result ?? sessions.error) !== undefined);
}

const drawn = ({ explanations }: Store): boolean =>
  !lacking() && !isWaiting() && !explanations.waiting && document.fonts.status !== 'loading';

async function calm(is: () => boolean, longest: number): Promise<void> {
  const end = performance.now() + longest;
  for (let frames = 0; frames < CALM && performance.now() < end; frames = is() ? frames + 1 : 0) await frame();
}

/** Settles when a document that did not come with the page is drawn, with all parts that its picture needs. */
export async function arrival(store: Store): Promise<void> {
  await calm(() => answered(store), LONGEST.answer);
  await calm(() => answered(store) && drawn(store), LONGEST.parts);
}
