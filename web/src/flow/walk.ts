// SPDX-License-Identifier: Apache-2.0
import { append } from '../lists.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Feed } from '../engine/types.ts';
import { rank, type Stage, stageOf } from './stages.ts';

/** One stop of the walk through a computation: a named intermediate. */
export interface Stop {
  tensor: Tensor;
  stage: Stage;
  /** The newest stop before it of the same shape: what its cells were before this step. */
  before: Tensor | undefined;
}

// What one step of a decoder hands out has an axis of length 1 for its only row: the numbers are the same without it.
const sizes = ({ shape }: Tensor): string => shape.filter((size) => size !== 1).join();
const place = (tensor: Tensor): string => `${tensor.offset} ${sizes(tensor)}`;
// Scores and queries may happen to be of one size; their axes tell them apart where they have any.
const look = ({ shape, places }: Tensor): string => `${shape.join()} ${places.includes('') ? '' : places.join()}`;

// Equal numbers have this in common.
const gist = (tensor: Tensor): string => `${sizes(tensor)} ${tensor.data[0]} ${tensor.data.at(-1)}`;

/**
 * Finds the output that is a step's numbers: the same bytes or, where the steps of a scan are gathered, a copy. Numbers
 * that are all alike may be equal by chance.
 */
function standIns(outputs: readonly Tensor[]): (step: Tensor) => Tensor | undefined {
  const alike = new Map<string, Tensor[]>();
  for (const output of outputs) alike.set(gist(output), [...(alike.get(gist(output)) ?? []), output]);
  return (step) => {
    const varies = step.data.some((x) => x !== step.data[0]);
    return alike.get(gist(step))?.find(({ data, offset, step: made = 0 }) => offset === step.offset
      || (varies && made >= (step.step ?? 0) && data.every((x, k) => x === step.data[k])));
  };
}

/** The stage of each of these: a step belongs to the output that it leads to. */
function stagesAlong(all: readonly Tensor[]): Stage[] {
  let stage: Stage = 'output';
  return all.map((tensor) => (tensor.group === 'steps' ? undefined : stageOf(tensor)))
    .toReversed().map((own) => (stage = own ?? stage)).toReversed();
}

/** The named intermediates in order, an output in the place of the step that is the same numbers. */
export function stopsOf(result: Result): Stop[] {
  const outputs = result.all('outputs');
  const standIn = standIns(outputs);
  const order: Tensor[] = result.all('steps').map((step) => standIn(step) ?? step);
  const known = new Set(order.map((tensor) => tensor.offset));
  const inputs = new Set(result.all('inputs').map(place));
  // Outputs that are no step come before the next output that is one; those that are an input, by their stage.
  let from = 0;
  let waiting: Tensor[] = [];
  for (const output of outputs) {
    const at = order.indexOf(output);
    if (at >= 0) {
      order.splice(at, 0, ...waiting);
      from = at + waiting.length + 1;
      waiting = [];
    } else if (!known.has(output.offset)) {
      known.add(output.offset);
      if (!inputs.has(place(output))) {
        waiting.push(output);
        continue;
      }
      const later = stagesAlong(order).findIndex((stage, k) => k >= from && rank(stage) >= rank(stageOf(output)));
      from = (later < 0 ? order.length : later) + 1;
      order.splice(from - 1, 0, output);
    }
  }
  append(order, waiting);
  // Words that a model looks up itself: of the features that were drawn for them nothing is computed.
  const read = result.all('inputs').filter((input) => result.reads(input));
  const all = [...new Set([...read, ...order])];
  const stages = stagesAlong(all);
  // What modules make of the words before anything attends to it is what is attended to.
  const attends = stages.findIndex((one) => one !== 'inputs' && one !== 'output');
  for (let k = 0; k < attends; k++) stages[k] = 'inputs';
  const newest = new Map<string, Tensor>();
  return all.map((tensor, k) => {
    const stop = { tensor, stage: stages[k]!, before: newest.get(look(tensor)) };
    if (tensor.group !== 'inputs' && tensor.shape.length > 1) newest.set(look(tensor), tensor);
    return stop;
  });
}

/** What a stop is computed from. Numbers that are an input under another name come from that input. */
export function madeFrom(result: Result, tensor: Tensor, feeds: readonly Pick<Feed, 'tensor' | 'group'>[]): Tensor[] {
  return feeds.flatMap((feed) => {
    const found = result.find(feed.tensor, feed.group);
    if (found !== tensor) return found ?? [];
    return result.all('inputs').find((input) => place(input) === place(tensor)) ?? [];
  });
}

export function changedCells({ tensor, before }: Stop): number {
  if (!before) return tensor.data.length;
  let count = 0;
  tensor.data.forEach((x, k) => { if (x !== before.data[k]) count++; });
  return count;
}
