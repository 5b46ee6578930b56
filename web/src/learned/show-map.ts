// SPDX-License-Identifier: Apache-2.0
import { HEAD } from '../directory/places.ts';
import type { Store } from '../state/store.ts';
import { moduleNamed } from './told.ts';
import type { LearnedMap } from './types.ts';

/** Draws the map large that is told of, so that what is read stands beside what is seen. */
export function showMap({ view, selection }: Store, { map, heads, head }: LearnedMap): void {
  view.show({ module: moduleNamed(map) });
  if (heads > 1) selection.choose(HEAD, head);
}
