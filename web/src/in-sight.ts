// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isPictured } from './performance-marks.ts';
import { crowded, inTurn, rank, type Rank } from './turns.ts';

type Tell = (seen: boolean) => void;
const told = new Map<Element, Tell>();
// So far beyond the edge, in CSS pixels, counts as seen: whoever scrolls finds the picture there.
const BEYOND = 200;

let watcher: IntersectionObserver | undefined;
function observer(): IntersectionObserver {
  const margin = `${BEYOND}px`;
  return (watcher ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
  }, { rootMargin: margin, scrollMargin: margin } as IntersectionObserverInit));
}

// On paper everything is seen.
globalThis.addEventListener?.('beforeprint', () => {
  for (const tell of [...told.values()]) tell(true);
});

/** What an element shows is drawn where it can be seen; what cannot be seen is drawn when it comes into sight. */
export class InSight implements ReactiveController {
  // Nothing as long as the browser has not told.
  private seen: boolean | undefined;
  private due = false;

  constructor(private readonly host: ReactiveControllerHost & Element, private readonly draw: () => void,
    private readonly of: Rank = rank.around) {
    host.addController(this);
  }

  hostConnected(): void {
    told.set(this.host, (seen) => {
      this.seen = seen;
      if (seen && this.due) this.ask();
    });
    observer().observe(this.host);
  }

  hostDisconnected(): void {
    told.delete(this.host);
    observer().unobserve(this.host);
    this.seen = undefined;
  }

  /** What is drawn is no longer right. */
  ask(): void {
    this.due = true;
    if (this.seen === false) return;
    if (!crowded(this.of)) this.now();
    // The browser tells soon whether it is seen at all. The first picture of the page does not wait for that.
    else if (this.seen || (this.of === rank.picture && !isPictured()))
      void inTurn(() => this.due && (this.seen ?? !isPictured()) && this.now(), this.of);
  }

  /** There is something to draw as soon as it is seen. */
  wait(): void {
    this.due = true;
    if (this.seen) this.ask();
  }

  /** Draws it, seen or not. */
  now(): void {
    this.due = false;
    this.draw();
  }
}
