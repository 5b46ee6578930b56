// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import type { Wanted } from './figure.ts';

/** A matrix that a place of the page computes itself, with its title. */
export type Offered = Wanted & { title: string };

const offers = new WeakMap<Store, () => Offered[]>();

/** A place offers the matrices that it shows, so that a figure can hold them; without any it takes the offer back. */
export function offer(store: Store, matrices: (() => Offered[]) | undefined): void {
  if (matrices) offers.set(store, matrices);
  else offers.delete(store);
}

export const offeredTo = (store: Store): Offered[] => offers.get(store)?.() ?? [];
