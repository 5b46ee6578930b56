// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals-core';
import { computedOnce } from './cells.ts';

/** Nothing is said of what is quicker than this (milliseconds). */
export const QUICK = 100;
const SECOND = 1000;

/** How long something has been under way, as a reader counts: not yet worth a word, then second by second. */
export class Patience {
  private readonly waited = signal<number | undefined>(undefined);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(under: () => boolean) {
    effect(() => {
      clearTimeout(this.timer);
      this.waited.value = undefined;
      if (under()) this.timer = setTimeout(() => this.tick(0), QUICK);
    });
  }

  /** It takes long enough to be shown. */
  @computedOnce get slow(): boolean {
    return this.waited.value !== undefined;
  }

  /** Whole seconds so far. */
  get seconds(): number {
    return this.waited.value ?? 0;
  }

  private tick(seconds: number): void {
    this.waited.value = seconds;
    this.timer = setTimeout(() => this.tick(seconds + 1), SECOND);
  }
}
