// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import { Patience } from './patience.ts';

/** What the engine is at, whatever it was asked: for how long, how far it is, and how to stop it. */
export class Wait extends Patience {
  constructor(private readonly client: Client) {
    // Every request begins anew.
    super(() => client.under !== undefined);
  }

  /** The share of the work that is done, above 0 and at most 1; undefined while nothing is known of it. */
  get share(): number | undefined {
    return this.client.share;
  }

  /** What was shown stays. */
  stop(): void {
    this.client.stop();
  }
}
