// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import type { Target } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

/** What a number was before the last change: a whole drag is one change. */
export class Earlier {
  private key = '';
  private now = NaN;
  private before: number | undefined;
  private moving = false;

  /** `key`: which number it is; `held`: whether something is being dragged. */
  of(key: string, value: number, held: boolean): number | undefined {
    if (key !== this.key) this.before = undefined;
    else if (value !== this.now && !this.moving) this.before = this.now;
    const changed = key === this.key && value !== this.now;
    this.moving = held && (this.moving || changed);
    [this.key, this.now] = [key, value];
    return this.before === value ? undefined : this.before;
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
  return key === '' || before === undefined ? nothing
    : html`<span class="note" data-part="earlier">${strings.earlier(full(before))}</span>`;
}
