// SPDX-License-Identifier: Apache-2.0
import { axisOf, typed } from '../directory/typed.ts';
import { Plane, type Result, type Tensor } from '../engine/result.ts';
import { factsOf, type RowFacts } from '../flow/row-numbers.ts';

export interface Row extends RowFacts {
  /** Which row it is: the places of all axes but that of the keys, by the axes' names. */
  row: Record<string, string | number>;
  /** The key that it looks at most. */
  key: string | number;
}

/** What every row of weights says, over all heads and whatever other axes there are. */
export function rowsOf(tensor: Tensor, result: Result): Row[] {
  const key = axisOf(typed(tensor), 'key');
  if (key < 0) return [];
  const name = (axis: number, at: number) => result.labels(tensor.places[axis] ?? '')?.[at] ?? at;
  const axes = tensor.shape.map((_, axis) => axis).filter((axis) => axis !== key);
  const count = axes.reduce((product, axis) => product * tensor.shape[axis]!, 1);
  return Array.from({ length: count }, (_, k) => {
    const held = tensor.shape.map(() => 0);
    let rest = k;
    for (const axis of axes.toReversed()) {
      held[axis] = rest % tensor.shape[axis]!;
      rest = Math.floor(rest / tensor.shape[axis]!);
    }
    const facts = factsOf(new Plane(tensor, -1, key, held), 0);
    return { row: Object.fromEntries(axes.map((axis) => [tensor.axes[axis] || String(axis), name(axis, held[axis]!)])),
      ...facts, key: name(key, facts.at) };
  });
}
