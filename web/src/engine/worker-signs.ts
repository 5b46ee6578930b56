// SPDX-License-Identifier: Apache-2.0
// What a worker says of itself to the line (line.ts) that leads to it.
import type { Ended, Sign } from './line.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const say = (sign: Sign): void => (self as unknown as { postMessage(sign: Sign): void }).postMessage(sign);

/**
 * Says that the worker's files were loaded and, where the browser has locks, which lock it holds until it ends.
 * Browsers have them in secure contexts only: elsewhere an end without an error event stays unseen.
 */
export function sayAlive(): void {
  say({ alive: '' });
  const lock = `worker ${Date.now().toString(36)} ${Math.random().toString(36).slice(2)}`;
  void navigator.locks?.request(lock, () => {
    say({ alive: lock });
    return new Promise<never>(() => undefined);
  }).catch(() => undefined);
}

const words = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** The worker can do no more: whoever asked it is told why, and ends it. */
export const sayEnd = (why: Ended['why'], problem: unknown): void => say({ ended: { why, message: words(problem) } });
