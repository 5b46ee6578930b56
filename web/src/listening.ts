// SPDX-License-Identifier: Apache-2.0
import type { ReactiveControllerHost } from 'lit';

/** Hears the events of another target, such as the window, while an element is on the page. */
export function listening<Heard extends Event>(host: ReactiveControllerHost, on: EventTarget, kind: string,
  heard: (event: Heard) => void): void {
  const listener = heard as (event: Event) => void;
  host.addController({ hostConnected: () => on.addEventListener(kind, listener),
    hostDisconnected: () => on.removeEventListener(kind, listener) });
}
