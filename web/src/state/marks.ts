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

const HOVER = 'hover';
const after = new MessageChannel();
let since: number | undefined;
let spent = 0;
after.port1.onmessage = () => {
  performance.clearMeasures(HOVER);
  performance.measure(HOVER, { start: since ?? 0, duration: spent });
  since = undefined;
};

/** The pointer comes to another cell: what the page works for it, until it is drawn, is summed up. */
export function pointed(work: () => void): void {
  if (since === undefined) {
    since = performance.now();
    spent = 0;
    // All that the pointer's event wakes runs in microtasks; this task comes after them.
    after.port2.postMessage(undefined);
  }
  working(work);
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
  if (since === undefined) return work();
  const began = performance.now();
  work();
  spent += performance.now() - began;
}
