// SPDX-License-Identifier: Apache-2.0
import { followed, type Ask } from './followed-cells.ts';
import type { Result, Tensor } from './result.ts';
import type { Feed, Target } from './types.ts';

// Beyond these a reader gains nothing from being told of one more.
const MOST_TENSORS = 6;
const MOST_TRIED = 10;

/**
 * What a cell is used for: outputs whose own explanation leads back to it. For each output one
 * cell is asked about that shares the given cell's places (its query, key, head), and then that
 * cell's neighbour along each axis, so that whole rows and columns are found with few questions.
 */
export async function onward(result: Result, target: Target, ask: Ask): Promise<Feed[]> {
  const from = result.find(target.tensor, target.group);
  if (!from) return [];
  const outputs = result.all('outputs');
  const after = outputs.findIndex((t) => t.name === target.tensor && target.group === 'outputs');
  const seen = new Set([from.offset]);
  const found: Feed[] = [];
  let tried = 0;
  for (const to of outputs.slice(after + 1)) {
    if (seen.has(to.offset) || to.data.length === 0 || found.length === MOST_TENSORS || tried >= MOST_TRIED) continue;
    seen.add(to.offset);
    tried++;
    for (const cell of candidates(result, from, target.index, to)) {
      const hit = await leadsBack(to, cell, target, ask);
      if (!hit) continue;
      found.push({ group: 'outputs', tensor: to.name, cells: await spread(to, cell, target, ask) });
      break;
    }
  }
  return found;
}

async function leadsBack(to: Tensor, cell: number[], target: Target, ask: Ask): Promise<boolean> {
  const answer = await ask(to.name, cell);
  if (!answer) return false;
  const feeds = await followed(answer.feeds, ask, false);
  return feeds.some((feed) => feed.tensor === target.tensor && feed.group === target.group
    && feed.cells.some((other) => other.every((at, k) => at === target.index[k])));
}

// Along an axis either all cells read the given one or only this: the next cell tells which.
async function spread(to: Tensor, cell: number[], target: Target, ask: Ask): Promise<number[][]> {
  let cells = [cell];
  for (const [k, size] of to.shape.entries()) {
    if (size < 2) continue;
    const next = cell.map((at, axis) => (axis === k ? (at + 1) % size : at));
    if (!(await leadsBack(to, next, target, ask))) continue;
    cells = cells.flatMap((one) =>
      Array.from({ length: size }, (_, at) => one.map((old, axis) => (axis === k ? at : old))));
  }
  return cells;
}

/** Cells of `to` that stand for the same query, key or head; other places at the start. */
export function candidates(result: Result, from: Tensor, index: number[], to: Tensor): number[][] {
  const words = (axis: string | undefined) => result.labels(axis ?? '')?.join('\n');
  const by = (same: (a: number, b: number) => boolean): number[] =>
    to.shape.map((size, b) => {
      const a = from.shape.findIndex((other, k) => other === size && same(k, b));
      return a < 0 ? 0 : (index[a] ?? 0);
    });
  const axis = (a: number, b: number) => !!from.places[a] && from.places[a] === to.places[b];
  const label = (a: number, b: number) =>
    words(from.places[a]) !== undefined && words(from.places[a]) === words(to.places[b]);
  const last = (a: number, b: number) => a === from.shape.length - 1 && b === to.shape.length - 1;
  const first = (a: number, b: number) => a === 0 && b === 0 && from.shape.length > 2;
  const tries = [by(axis), by((a, b) => axis(a, b) || label(a, b)),
    by((a, b) => axis(a, b) || last(a, b) || first(a, b))];
  return tries.filter((cell, k) => tries.findIndex((other) => other.join() === cell.join()) === k);
}
