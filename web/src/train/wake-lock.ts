// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals-core';

/**
 * A phone's screen stays on while `learns`, which reads signals, says so and the browser lets it; gives back what ends
 * that.
 */
export function awakeWhile(learns: () => boolean): () => void {
  let wanted = false;
  let asking = false;
  let lock: WakeLockSentinel | undefined;

  const settle = async (): Promise<void> => {
    if (asking) return;
    if (!wanted) {
      const held = lock;
      lock = undefined;
      return held?.release();
    }
    if (document.visibilityState !== 'visible' || lock?.released === false) return;
    asking = true;
    lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    asking = false;
    // It may have ended while the browser was asked.
    if (!wanted) return settle();
  };
  // The browser takes the lock away with the tab.
  const seen = () => void settle();
  document.addEventListener('visibilitychange', seen);
  const stop = effect(() => {
    wanted = learns();
    void settle();
  });
  return () => {
    stop();
    document.removeEventListener('visibilitychange', seen);
    wanted = false;
    void settle();
  };
}
