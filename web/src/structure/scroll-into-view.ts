// SPDX-License-Identifier: Apache-2.0
// What pops up lies inside what can be seen.
import { above } from '../avoid-covering.ts';

/** From where to where things around an element can be seen: inside the window and inside whatever scrolls. */
function seenAround(element: Element): { top: number; bottom: number } {
  let [top, bottom] = [0, innerHeight];
  for (let at = above(element); at; at = above(at)) {
    if (getComputedStyle(at).overflowY === 'visible') continue;
    const box = at.getBoundingClientRect();
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  return { top, bottom };
}

const GAP = 4;

/** Moves what popped up below an element above it where there is too little room below. */
export function bringInto(popped: HTMLElement, pointed: Element | null): void {
  popped.style.transform = '';
  const { top, bottom, height } = popped.getBoundingClientRect();
  const seen = seenAround(popped);
  if (bottom <= seen.bottom) return;
  const over = pointed ? pointed.getBoundingClientRect().top - GAP - height : seen.top;
  // Where there is room neither below nor above, it ends with what can be seen.
  const to = over >= seen.top ? over : Math.max(seen.top, seen.bottom - height);
  popped.style.transform = `translateY(${to - top}px)`;
}
