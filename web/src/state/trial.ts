// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Located } from '../engine/types.ts';
import type { Documents } from './documents.ts';
import type { Edit, Item } from './proposals.ts';
import type { Sessions } from './sessions.ts';

/** The entry of a menu that is tried out, and whether there is a picture of it. */
export class Trial {
  private readonly entry = signal<Item | undefined>(undefined);

  constructor(
    private readonly documents: Documents,
    private readonly sessions: () => Pick<Sessions, 'error' | 'busy'>,
  ) {}

  /** Tries an entry out; without one, what was there before comes back. */
  show(item?: Item, edit?: Edit): void {
    this.entry.value = item;
    this.documents.preview(item && edit);
  }

  /** What is tried out. */
  get item(): Item | undefined {
    return this.documents.trying ? this.entry.value : undefined;
  }

  /** Why it cannot be chosen, if that was known before it was tried out. */
  get refusal(): string | undefined {
    return this.item?.refusal;
  }

  /** The engine's objection to it, if it takes the engine to find that. */
  get error(): Located | undefined {
    const { error, busy } = this.sessions();
    return this.documents.trying && this.refusal === undefined && !busy ? error : undefined;
  }

  /** It cannot be computed with what is here. */
  get misfit(): boolean {
    return this.refusal !== undefined || this.error !== undefined;
  }

  /** The last picture is not of it; also while the engine has not yet answered one that follows a misfit. */
  get unpictured(): boolean {
    return this.misfit || (this.documents.trying && this.sessions().error !== undefined);
  }
}
