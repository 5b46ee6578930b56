// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Store } from './store.ts';

/** Something found from the state. Whoever reads it wakes when it is something else, not whenever the state changes. */
export function derived<T>(find: (store: Store) => T): (store: Store) => T {
  const known = new WeakMap<Store, ReadonlySignal<T>>();
  return (store) => {
    let found = known.get(store);
    if (!found) known.set(store, found = computed(() => find(store)));
    return found.value;
  };
}
