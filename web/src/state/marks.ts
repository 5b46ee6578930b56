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
