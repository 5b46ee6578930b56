// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import type { Request } from '../engine/answer.ts';
import { Patience } from './patience.ts';

/** A request to the engine that somebody waits for: for how long, how far it is, and how to stop it. */
export class Wait extends Patience {
  constructor(
    private readonly client: Client,
    private readonly kind: Request['kind'],
    under: () => boolean,
  ) {
    super(under);
  }

  /** The share of the work that is done, above 0 and at most 1; undefined while nothing is known of it. */
  get share(): number | undefined {
    return this.client.share(this.kind);
  }

  /** What was shown stays. */
  stop(): void {
    this.client.cancel(this.kind);
  }
}
