// SPDX-License-Identifier: Apache-2.0
import type { ReactiveControllerHost } from 'lit';
import { isPrinting } from './turns.ts';

/** The width of an element's content now. The browser lays the page out for it. */
export function widthOf(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return Math.max(0, element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
}

/** Tells the width of an element's content, at first and whenever it changes, while it is on the page. */
export function measured(host: ReactiveControllerHost & Element, told: (width: number) => void): void {
  const watcher = new ResizeObserver(([entry]) => entry && told(entry.contentRect.width));
  host.addController({
    hostConnected: () => {
      watcher.observe(host);
      // The observer reports in the next frame, and a printer waits for none.
      if (isPrinting()) told(widthOf(host));
    },
    hostDisconnected: () => watcher.disconnect(),
  });
}
