// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Doc } from '../engine/types.ts';
import type { Compared } from './parse.ts';

const LONGEST = 200;

/** What undo goes back to: a document and what it is compared with. */
export interface Moment {
  document: Doc;
  compare: Compared | undefined;
}

/** The moments before the one that is shown, and those that undo has left. */
export class History {
  private readonly past = signal<readonly Moment[]>([]);
  private readonly future = signal<readonly Moment[]>([]);
  private forgotten = 0;

  /** So many steps lead here; undo takes one away. */
  get depth(): number {
    return this.past.value.length + this.forgotten;
  }

  get canUndo(): boolean {
    return this.past.value.length > 0;
  }

  get canRedo(): boolean {
    return this.future.value.length > 0;
  }

  /** The documents that undo leads back to, the oldest first. */
  get documents(): Doc[] {
    return this.past.value.map(({ document }) => document);
  }

  /** A new step sets out from this moment. */
  remember(moment: Moment): void {
    const past = [...this.past.value, moment];
    this.forgotten += Math.max(0, past.length - LONGEST);
    this.past.value = past.slice(-LONGEST);
    this.forgetFuture();
  }

  /** What undo has left does not follow from what is shown any more. */
  forgetFuture(): void {
    if (this.canRedo) this.future.value = [];
  }

  /** Takes the last step back as if it had never been made. */
  drop(): Moment | undefined {
    const last = this.past.value.at(-1);
    this.past.value = this.past.value.slice(0, -1);
    return last;
  }

  undo(now: Moment): Moment | undefined {
    return this.travel(this.past, this.future, now);
  }

  redo(now: Moment): Moment | undefined {
    return this.travel(this.future, this.past, now);
  }

  private travel(from: typeof this.past, to: typeof this.past, now: Moment): Moment | undefined {
    const next = from.value.at(-1);
    if (!next) return undefined;
    from.value = from.value.slice(0, -1);
    to.value = [...to.value, now];
    return next;
  }
}
