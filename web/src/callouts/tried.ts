// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals-core';
import { keep, recalled } from '../state/recalled.ts';
import type { Store } from '../state/store.ts';

export type Hint = 'words' | 'choice';

const KEY = 'attention-playground.tried';

/** What the reader has already tried: such a callout has said its word. */
export class Tried {
  private readonly earlier = new Set(recalled(KEY) as Hint[]);
  private readonly done = signal<ReadonlySet<Hint>>(this.earlier);
  private readonly start: Record<Hint, string>;

  constructor(private readonly store: Store) {
    this.start = this.now();
    effect(() => this.watch());
  }

  /** On an earlier visit. */
  before(hint: Hint): boolean {
    return this.earlier.has(hint);
  }

  has(hint: Hint): boolean {
    return this.done.value.has(hint);
  }

  add(hint: Hint): void {
    if (this.done.peek().has(hint)) return;
    this.done.value = new Set([...this.done.peek(), hint]);
    keep(KEY, this.done.peek());
  }

  private now(): Record<Hint, string> {
    const { document } = this.store.documents;
    const { lock } = this.store.selection;
    // A word was pressed, which locks a cell, or typed.
    return { words: JSON.stringify([document.inputs, lock]),
      choice: JSON.stringify([document.mechanism, document['model']]) };
  }

  private watch(): void {
    const now = this.now();
    for (const hint of Object.keys(now) as Hint[]) if (now[hint] !== this.start[hint]) this.add(hint);
  }
}
