// SPDX-License-Identifier: Apache-2.0
// What the first picture can do without is fetched once somebody turns to the page, or another document is shown.
import { signal } from '@preact/signals-core';

let go: () => void;
/** Settles when somebody has turned to the page. */
export const asked = new Promise<void>((resolve) => (go = resolve));
let open = 0;

/** From now on everything may be fetched. */
export const fetchFromNow = (): void => go();

/** Whether parts of the page are still on their way. */
export const coming = (): boolean => open > 0;

for (const sign of ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'])
  globalThis.addEventListener?.(sign, fetchFromNow, { once: true, passive: true, capture: true });

/** Counts work that the picture waits for. */
export const whilePending = <T>(work: Promise<T>): Promise<T> => {
  open++;
  return work.finally(() => open--);
};

const awaited = new Set<Later<unknown>>();

/** Whether a part is on its way that somebody waits for. */
export const lacking = (): boolean => awaited.size > 0;

// The parts that somebody wanted and that did not come.
const missing = signal<readonly Later<unknown>[]>([]);

/** Whether a part that the reader needs could not be loaded. */
export const partsLost = (): boolean => missing.value.length > 0;

/** Asks again for all of them. */
export const fetchLost = (): void => {
  for (const part of missing.value) void part.wanted(true);
};

export class Later<T> {
  /** The module, once it is there. */
  module: T | undefined;
  private loading: Promise<T> | undefined;
  private readonly waiting = new Set<{ requestUpdate(): void }>();

  /** `ahead`: whether it is fetched as soon as somebody turns to the page, before it is wanted. */
  constructor(private readonly load: () => Promise<T>, ahead = true) {
    // What nobody wanted yet is no loss: whoever wants it asks again.
    if (ahead) void asked.then(() => this.fetch()).catch(() => undefined);
  }

  /** Fetches it now; what did not come is asked for once more at once, and again by whoever wants it later. */
  fetch(): Promise<T> {
    if (this.loading) return this.loading;
    this.loading = whilePending(this.load().catch(() => this.load()).then((module) => (this.module = module)));
    this.loading.then(() => this.note(false), () => (this.loading = undefined));
    return this.loading;
  }

  /**
   * Fetches it for somebody who needs it: where it does not come, the page says so, and nothing is given back. What did
   * not come is asked for again where the reader does: who only draws itself anew does not ask each time.
   */
  async wanted(again = false): Promise<T | undefined> {
    if (this.gone && !again) return undefined;
    if (!this.module) awaited.add(this);
    try {
      const module = await this.fetch();
      for (const one of this.waiting) one.requestUpdate();
      this.waiting.clear();
      return module;
    } catch {
      this.note(true);
      return undefined;
    } finally {
      awaited.delete(this);
    }
  }

  /** The module if it is there; otherwise the host draws itself anew when it is. */
  use(host: { requestUpdate(): void }): T | undefined {
    if (!this.module && !this.waiting.has(host)) {
      this.waiting.add(host);
      void asked.then(() => this.wanted());
    }
    return this.module;
  }

  private get gone(): boolean {
    return missing.peek().includes(this);
  }

  private note(lost: boolean): void {
    if (lost === this.gone) return;
    missing.value = lost ? [...missing.peek(), this] : missing.peek().filter((one) => one !== this);
  }
}
