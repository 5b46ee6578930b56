// SPDX-License-Identifier: Apache-2.0
import { HEAD } from '../directory/places.ts';
import type { Store } from '../state/store.ts';
import { moduleNamed } from './result-sentences.ts';
import type { LearnedMap } from './types.ts';

/** Draws the map large that the text above the picture describes. */
export function showMap(store: Store, { map, heads, head }: LearnedMap): void {
  store.restore({ module: moduleNamed(map), place: store.view.place,
    ...(heads > 1 ? { chosen: { [HEAD]: head } } : {}) });
}
