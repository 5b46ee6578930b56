// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Target } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

/** What something was before the last change: a whole drag is one change. */
export class Earlier<T = number> {
  private key: unknown = '';
  private now: T | undefined;
  private before: T | undefined;
  private moving = false;

  constructor(private readonly same: (one: T, other: T) => boolean = (one, other) => one === other) {}

  /** `key`: what it is of; `held`: whether something is being dragged. */
  of(key: unknown, value: T, held: boolean): T | undefined {
    const known = key === this.key && this.now !== undefined;
    const changed = known && !this.same(value, this.now!);
    if (!known) this.before = undefined;
    else if (changed && !this.moving) this.before = this.now;
    this.moving = held && (this.moving || changed);
    [this.key, this.now] = [key, value];
    return this.before !== undefined && this.same(this.before, value) ? undefined : this.before;
  }
}

/** The same for each of several things that come and go, such as texts: each finds its value again. */
export class EarlierOf<T> {
  private readonly known = new Map<string, Earlier<T>>();

  constructor(private readonly same: (one: T, other: T) => boolean, private readonly most: number) {}

  of(key: string, value: T, held: boolean): T | undefined {
    const earlier = this.known.get(key) ?? new Earlier<T>(this.same);
    // The last one that was asked for is the last one to go.
    this.known.delete(key);
    this.known.set(key, earlier);
    if (this.known.size > this.most) this.known.delete(this.known.keys().next().value!);
    return earlier.of(key, value, held);
  }
}

const all = new WeakMap<Store, Earlier>();

/** Beside a number that is kept what it was before the last change. */
export function was(store: Store, target: Target, value: number): unknown {
  const { documents, selection } = store;
  const earlier = all.get(store) ?? new Earlier();
  all.set(store, earlier);
  const key = selection.lock === undefined ? '' : JSON.stringify(target);
  const before = earlier.of(key, value, documents.held);
  return key === '' || before === undefined || full(before) === full(value) ? nothing
    : html`<span class="note" data-part="earlier">${strings.earlier(full(before))}</span>`;
}
