// SPDX-License-Identifier: Apache-2.0
// The words of an input in the weights: which of them are chosen, and what one of them attends to.
import { isQuery } from '../directory/places.ts';
import { axisOf, typed } from '../directory/typed.ts';
import { weightsOf } from '../directory/modules.ts';
import type { Store } from '../state/store.ts';

/** A word is marked when the chosen cell's row or column is labelled by these words. */
export function marksOf({ sessions, selection }: Store, words: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  const chosen = selection.places;
  for (const axis of Object.keys(chosen).toSorted()) {
    const labels = sessions.result?.labels(axis);
    const mine = labels?.length === words.length && labels.every((t, k) => t === words[k]);
    if (mine) found.set(chosen[axis]!, isQuery(axis) ? 'query' : 'key');
  }
  return found;
}

/** Locks the weight that a word gives most, or, where words are only looked at, the largest that it gets. */
export function lookAt(store: Store, words: readonly string[], k: number): void {
  const { result } = store.sessions;
  const weights = result && weightsOf(result);
  // A large map is not here as a whole: its row is asked for.
  if (!weights && result?.left.some(({ places }) =>
    places.some((place) => isQuery(place) && result.labels(place)?.length === words.length)))
    return store.selection.turnTo('query', k);
  if (!weights) return;
  const named = (axis: number) => {
    const labels = result.labels(weights.places[axis] ?? '');
    return labels?.length === words.length && labels[k] === words[k];
  };
  const mine = (['query', 'key'] as const).map((role) => axisOf(typed(weights), role)).find(named);
  if (mine === undefined) return;
  const other = axisOf(typed(weights), mine === axisOf(typed(weights), 'query') ? 'key' : 'query');
  const { chosen } = store.selection;
  const index = weights.shape.map((size, axis) =>
    (axis === mine ? k : Math.min(chosen[weights.places[axis] ?? ''] ?? 0, size - 1)));
  let best = -Infinity;
  let at = 0;
  for (let j = 0; other >= 0 && j < (weights.shape[other] ?? 0); j++) {
    const target = { group: weights.group, tensor: weights.name,
      index: index.map((v, axis) => (axis === other ? j : v)) };
    const value = store.numberAt(target) ?? -Infinity;
    if (value > best) [best, at] = [value, j];
  }
  if (other >= 0) index[other] = at;
  store.selection.hold({ group: weights.group, tensor: weights.name, index });
}
