// SPDX-License-Identifier: Apache-2.0
import { links } from './lazy-parts.ts';
import type { Store } from '../state/store.ts';

const LONGEST_ADDRESS = 300_000;
// The address follows when a slider rests: packing it into a link takes as long as drawing.
const REST = 120;

/** The page's own address, which says what is shown. */
export class KeptAddress {
  private readonly store: Store;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store) {
    this.store = store;
  }

  /** Whether it is still to be written. */
  get writing(): boolean {
    return this.waiting !== undefined;
  }

  /** Writes it soon. */
  keep(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.write(), REST);
  }

  /** Somebody else has written it. */
  leave(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private async write(): Promise<void> {
    const asked = this.waiting;
    const { setOut, wholeLink } = await links.fetch();
    const link = await wholeLink(this.store);
    if (this.waiting !== asked) return;
    this.waiting = undefined;
    // What no link could carry would only make every change slow: a reload finds it with the browser's history.
    const long = JSON.stringify(this.store.documents.document).length > LONGEST_ADDRESS;
    const [kept, address] = long ? [link, location.pathname + location.search] : [undefined, `#${link}`];
    history.replaceState(setOut(this.store.documents, kept), '', address);
  }
}
