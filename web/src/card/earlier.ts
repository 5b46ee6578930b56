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
  private after: unknown;

  constructor(private readonly same: (one: T, other: T) => boolean = (one, other) => one === other) {}

  /**
   * `key`: what it is of; `held`: whether something is being dragged; `after`: the document of it, where it is known.
   * Where a later document has the same value, nothing else came before it.
   */
  of(key: unknown, value: T, held: boolean, after?: unknown): T | undefined {
    const known = key === this.key && this.now !== undefined;
    const changed = known && !this.same(value, this.now!);
    if (!known || (!changed && !held && after !== this.after)) this.before = undefined;
    else if (changed && !this.moving) this.before = this.now;
    this.moving = held && (this.moving || changed);
    [this.key, this.now, this.after] = [key, value, after];
    return this.before !== undefined && this.same(this.before, value) ? undefined : this.before;
  }
}

/** The same of several things, of which one may be come back to: each has what it was before its own last change. */
export class EarlierOfEach<T> {
  private readonly each = new Map<string, Earlier<T>>();

  constructor(private readonly same: (one: T, other: T) => boolean, private readonly most: number) {}

  of(key: string, value: T, held: boolean): T | undefined {
    const earlier = this.each.get(key) ?? new Earlier(this.same);
    // The one that was asked for last is the last to be forgotten.
    this.each.delete(key);
    this.each.set(key, earlier);
    if (this.each.size > this.most) this.each.delete(this.each.keys().next().value!);
    return earlier.of(key, value, held);
  }
}

const all = new WeakMap<Store, Earlier>();

/** Beside a number that is kept what it was before the last change. */
export function was(store: Store, target: Target, value: number): unknown {
  const { documents, selection, sessions } = store;
  const earlier = all.get(store) ?? new Earlier();
  all.set(store, earlier);
  const key = selection.lock === undefined ? '' : JSON.stringify(target);
  const before = earlier.of(key, value, documents.held, key && sessions.result?.text);
  return key === '' || before === undefined || full(before) === full(value) ? nothing
    : html`<span class="note" data-part="earlier">${strings.earlier(full(before))}</span>`;
}
