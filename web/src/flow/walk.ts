// SPDX-License-Identifier: Apache-2.0
import type { Result, Tensor } from '../engine/result.ts';
import { type Stage, stageOf } from './stages.ts';

/** One stop of the walk through a computation: a named intermediate. */
export interface Stop {
  tensor: Tensor;
  stage: Stage;
  /** The newest stop before it of the same shape: what its cells were before this step. */
  before: Tensor | undefined;
}

const place = ({ offset, shape }: Tensor): string => `${offset} ${shape.join()}`;
// Scores and queries may happen to be of one size; their axes tell them apart where they have any.
const look = ({ shape, places }: Tensor): string => `${shape.join()} ${places.includes('') ? '' : places.join()}`;

/** The named intermediates in order, an output in the place of the step that is the same numbers. */
export function stopsOf(result: Result): Stop[] {
  const outputs = result.all('outputs');
  const standIns = new Map(outputs.map((output) => [place(output), output]));
  const order: Tensor[] = result.all('steps').map((step) => standIns.get(place(step)) ?? step);
  const known = new Set(order.map((tensor) => tensor.offset));
  const placed = new Set(order);
  // Outputs that are no step come before the next output that is one.
  const before = new Map<Tensor | undefined, Tensor[]>();
  let waiting: Tensor[] = [];
  for (const output of outputs) {
    if (placed.has(output)) {
      before.set(output, waiting);
      waiting = [];
    } else if (!known.has(output.offset)) {
      known.add(output.offset);
      waiting.push(output);
    }
  }
  const all = [...new Set([...result.all('inputs'),
    ...order.flatMap((tensor) => [...(before.get(tensor) ?? []), tensor]), ...waiting])];
  let stage: Stage = 'output';
  const stages = all.map(() => stage);
  for (let k = all.length - 1; k >= 0; k--) {
    if (all[k]!.group !== 'steps') stage = stageOf(all[k]!);
    stages[k] = stage;
  }
  const newest = new Map<string, Tensor>();
  return all.map((tensor, k) => {
    const stop = { tensor, stage: stages[k]!, before: newest.get(look(tensor)) };
    if (tensor.group !== 'inputs' && tensor.shape.length > 1) newest.set(look(tensor), tensor);
    return stop;
  });
}

export function changedCells({ tensor, before }: Stop): number {
  if (!before) return tensor.data.length;
  let count = 0;
  tensor.data.forEach((x, k) => { if (x !== before.data[k]) count++; });
  return count;
}
