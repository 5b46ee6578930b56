// SPDX-License-Identifier: Apache-2.0
// What the first picture can do without is fetched once somebody turns to the page, or another document is shown.

let go: () => void;
/** Settles when somebody has turned to the page. */
export const asked = new Promise<void>((resolve) => (go = resolve));
let open = 0;

/** From now on everything may be fetched. */
export const fetchFromNow = (): void => go();

/** Whether parts of the page are still on their way. */
export const coming = (): boolean => open > 0;

for (const sign of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin'])
  addEventListener(sign, fetchFromNow, { once: true, passive: true, capture: true });

/** Counts work that the picture waits for. */
export const whilePending = <T>(work: Promise<T>): Promise<T> => {
  open++;
  return work.finally(() => open--);
};

export class Later<T> {
  /** The module, once it is there. */
  module: T | undefined;
  private loading: Promise<T> | undefined;
  private readonly waiting = new Set<{ requestUpdate(): void }>();

  constructor(private readonly load: () => Promise<T>) {
    void asked.then(() => this.fetch());
  }

  /** Fetches it now; what did not come is asked for once more at once, and again by whoever wants it later. */
  fetch(): Promise<T> {
    if (this.loading) return this.loading;
    this.loading = whilePending(this.load().catch(() => this.load()).then((module) => (this.module = module)));
    this.loading.catch(() => (this.loading = undefined));
    return this.loading;
  }

  /** The module if it is there; otherwise the host draws itself anew when it is. */
  use(host: { requestUpdate(): void }): T | undefined {
    if (!this.module && !this.waiting.has(host)) {
      this.waiting.add(host);
      void asked.then(() => this.fetch()).then(() => {
        for (const one of this.waiting) one.requestUpdate();
      }).finally(() => this.waiting.clear());
    }
    return this.module;
  }
}
