// SPDX-License-Identifier: Apache-2.0
import type { Store } from './store.ts';

/** Where the page shows what comes next, so that a change made far below can lead there. */
export const nextWords = new WeakMap<Store, HTMLElement>();
