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

/** The named intermediates in order, an output in the place of the step that is the same numbers. */
export function stopsOf(result: Result): Stop[] {
  const outputs = result.all('outputs');
  const inputs = result.all('inputs');
  const order: Tensor[] = [];
  for (const step of result.all('steps')) order.push(outputs.find((o) => o.offset === step.offset && o.shape.join() === step.shape.join()) ?? step);
  outputs.forEach((output, k) => {
    if (order.some((t) => t.offset === output.offset)) return;
    const later = outputs.slice(k + 1).map((next) => order.indexOf(next)).find((at) => at >= 0);
    order.splice(later ?? order.length, 0, output);
  });
  const all = [...new Set([...inputs, ...order])];
  let stage: Stage = 'output';
  const stages = all.map(() => stage);
  for (let k = all.length - 1; k >= 0; k--) {
    if (all[k]!.group !== 'steps') stage = stageOf(all[k]!);
    stages[k] = stage;
  }
  return all.map((tensor, k) => ({ tensor, stage: stages[k]!, before: twin(all.slice(0, k), tensor) }));
}

const twin = (earlier: Tensor[], tensor: Tensor): Tensor | undefined =>
  earlier.findLast((t) => t.group !== 'inputs' && t.shape.length > 1 && t.shape.join() === tensor.shape.join() && sameAxes(t, tensor));

// Scores and queries may happen to be of one size; their axes tell them apart where they have any.
const sameAxes = (a: Tensor, b: Tensor): boolean => a.axes.length < a.shape.length || b.axes.length < b.shape.length || a.axes.join() === b.axes.join();

export function changedCells({ tensor, before }: Stop): number {
  if (!before) return tensor.data.length;
  let count = 0;
  tensor.data.forEach((x, k) => { if (x !== before.data[k]) count++; });
  return count;
}
