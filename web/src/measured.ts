// SPDX-License-Identifier: Apache-2.0
import type { ReactiveControllerHost } from 'lit';
import { isPrinting } from './turns.ts';

/** Tells the width of an element's content, at first and whenever it changes, while it is on the page. */
export function measured(host: ReactiveControllerHost & Element, told: (width: number) => void): void {
  const watcher = new ResizeObserver(([entry]) => entry && told(entry.contentRect.width));
  host.addController({
    hostConnected: () => {
      watcher.observe(host);
      // The observer reports in the next frame, and a printer waits for none.
      if (!isPrinting()) return;
      const { paddingLeft, paddingRight } = getComputedStyle(host);
      told(host.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    },
    hostDisconnected: () => watcher.disconnect(),
  });
}
