// SPDX-License-Identifier: Apache-2.0

/**
 * A listener for `touchmove` where a finger drags or paints: it scrolls nothing. Unless that is said, Chromium takes a
 * flick for a scroll that runs on, and the next tap, wherever it lands, for the finger that stops it.
 */
export const ownTouch = { handleEvent: (event: Event): void => event.preventDefault(), passive: false };
