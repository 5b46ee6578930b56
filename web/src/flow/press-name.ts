// SPDX-License-Identifier: Apache-2.0
import type { Plane } from '../engine/result.ts';
import type { Store } from '../state/store.ts';

/** Locks the largest cell of a row or a column: whoever presses a name asks where its weight lies. */
export function pressName(store: Store, shown: Plane, which: 'row' | 'col', at: number): void {
  const { tensor, rows, cols } = shown;
  const cellAt = (k: number): [number, number] => (which === 'row' ? [at, k] : [k, at]);
  let [best, found] = [-Infinity, 0];
  for (let k = 0; k < (which === 'row' ? cols : rows); k++) {
    const value = shown.at(...cellAt(k));
    if (value > best) [best, found] = [value, k];
  }
  store.selection.hold({ group: tensor.group, tensor: tensor.name, index: shown.index(...cellAt(found)) });
}
