// SPDX-License-Identifier: Apache-2.0
import type { ReactiveControllerHost } from 'lit';

/** Tells the width of an element's content, at first and whenever it changes, while it is on the page. */
export function measured(host: ReactiveControllerHost & Element, told: (width: number) => void): void {
  const watcher = new ResizeObserver(([entry]) => entry && told(entry.contentRect.width));
  host.addController({ hostConnected: () => watcher.observe(host), hostDisconnected: () => watcher.disconnect() });
}
