// SPDX-License-Identifier: Apache-2.0
const START = 'change';
const END = 'picture';
let waiting = false;

// The page's own performance marks: from a change of the document to its picture on screen.
export function started(): void {
  if (waiting) return;
  waiting = true;
  performance.clearMarks(START);
  performance.mark(START);
}

/** To be called when new numbers were handed to the views: the picture stands after this frame. */
export function measured(): void {
  if (!waiting) return;
  waiting = false;
  const drawn = () => {
    performance.clearMeasures(END);
    performance.measure(END, START);
  };
  // Views draw in microtasks that follow; a task after them sees the canvases painted.
  setTimeout(drawn, 0);
}

let pictured = false;

/** Whether a map has been painted since the page began. */
export const isPictured = (): boolean => pictured;

/** A map was painted: the first one ends the way from the page's address to its picture. */
export function painted(): void {
  if (pictured) return;
  pictured = true;
  setTimeout(() => performance.measure('first-picture', { start: 0 }), 0);
}

const HOVER = 'hover';
const after = new MessageChannel();

// A movement of the pointer to another cell: what was worked for it so far, and how many answers it still waits for.
interface Movement {
  start: number;
  spent: number;
  waits: number;
}
let movement: Movement | undefined;

after.port1.onmessage = () => {
  if (movement?.waits === 0) close();
};

function close(): void {
  if (!movement) return;
  performance.clearMeasures(HOVER);
  performance.measure(HOVER, { start: movement.start, duration: movement.spent });
  movement = undefined;
}

/**
 * The pointer comes to another cell: what the page works for it is summed up until that is drawn, with the engine's
 * answers about it (`answering`), or until the next one.
 */
export function pointed(work: () => void): void {
  if (movement && movement.waits > 0) close();
  movement ??= { start: performance.now(), spent: 0, waits: 0 };
  working(work);
  // All that the pointer's event wakes runs in microtasks; this task comes after them.
  after.port2.postMessage(undefined);
}

/** What the pointer has come to is asked about: to be called when the answer was handed to the views. */
export function answering(): () => void {
  const mine = movement;
  if (mine) mine.waits++;
  return () => {
    if (!mine) return;
    mine.waits--;
    after.port2.postMessage(undefined);
  };
}

/** A formula is drawn once the pointer has rested: work of its own, beside that of the movement. */
export function formula(draw: () => void): void {
  const start = performance.now();
  draw();
  performance.clearMeasures('formula');
  performance.measure('formula', { start, end: performance.now() });
}

/** A large map is scrolled: how long it takes until what is here of it is drawn. */
export function scrolled(draw: () => void): void {
  const start = performance.now();
  draw();
  performance.clearMeasures('scroll');
  performance.measure('scroll', { start, end: performance.now() });
}

/** Work that counts for the movement of the pointer that is under way, if one is. */
export function working(work: () => void): void {
  const mine = movement;
  if (!mine) return work();
  const began = performance.now();
  work();
  mine.spent += performance.now() - began;
}
