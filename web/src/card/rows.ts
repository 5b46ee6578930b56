// SPDX-License-Identifier: Apache-2.0
import { keyAxis, maskOf, rowOf } from '../directory/spread.ts';
import { flat, type Result, type Tensor, valueAt } from '../engine/result.ts';
import type { Cut, Explanation, Feed, Target, Term } from '../engine/types.ts';
import { shownPiece } from '../strings/displayed-word.ts';

const CLOSE = 1e-4;
const LEVEL = '\\tau';

export interface Choice {
  symbol: string;
  /** The keys drawn, in order; one where nothing is drawn at random. */
  drawn: number[];
  /** What they were drawn from, where the computation names it. */
  chances: number[] | undefined;
}

export interface Gate {
  symbol: string;
  open: boolean[];
}

export function namesOf(result: Result, tensor: Tensor): string[] {
  const axis = keyAxis(tensor);
  const labels = result.labels(tensor.places[axis] ?? '');
  return Array.from({ length: tensor.shape[axis] ?? 1 }, (_, j) => shownPiece(labels?.[j] ?? String(j + 1)));
}

/** The threshold that a row is cut at: as the engine says, or from a step of that name. */
export function cutOf(result: Result, target: Target, answer: Explanation): Cut | undefined {
  if (answer.cut) return answer.cut;
  const weights = result.find(target.tensor, target.group);
  const level = single(answer.feeds, result, (feed) => feed.tensor === LEVEL);
  const bars = single(answer.feeds, result,
    (feed, tensor) => feed.tensor !== LEVEL && tensor.shape.join() === weights?.shape.join());
  if (!weights || !level || !bars) return undefined;
  const tau = level.value;
  const row = rowOf(weights, target.index);
  const heights = rowOf(bars.tensor, target.index);
  // Where a key is masked the bar says nothing; a cut that does not give the weights is not drawn.
  const masked = maskOf(result, weights, target.index);
  const shown = heights.map((_, j) => j).filter((j) => masked?.[j] !== 0);
  if (shown.some((j) => Math.abs(Math.max(0, heights[j]! - tau) - row[j]!) > CLOSE)) return undefined;
  const shift = shiftOf(result, target, heights, shown);
  const labels = namesOf(result, weights);
  const at = target.index.at(-1);
  return { level: tau + shift, power: 1, shift,
    bars: shown.map((j): Term => ({ label: labels[j]!, value: heights[j]! + shift, chosen: j === at, cell: j })) };
}

function single(feeds: Feed[], result: Result,
  fits: (feed: Feed, tensor: Tensor) => boolean): { tensor: Tensor; value: number } | undefined {
  for (const feed of feeds) {
    const tensor = result.find(feed.tensor, feed.group);
    const [cell, ...more] = feed.cells;
    if (!tensor || !cell || more.length > 0 || !fits(feed, tensor)) continue;
    return { tensor, value: valueAt(tensor, cell) };
  }
  return undefined;
}

// Bars measured from the row's best are drawn where the scores themselves stand.
function shiftOf(result: Result, target: Target, heights: number[], shown: number[]): number {
  const own = result.find(target.tensor, target.group);
  const scores = result.all('outputs').find((t) => t.role === 'scores' && t.within === own?.within);
  const first = shown[0];
  if (!scores || first === undefined || scores.shape.length !== target.index.length) return 0;
  const row = rowOf(scores, target.index);
  const shift = row[first]! - heights[first]!;
  return shown.every((j) => Math.abs(row[j]! - heights[j]! - shift) < 1e-3 * (1 + Math.abs(shift))) ? shift : 0;
}

/** Rows of 0 and 1 that the cell was computed from: which keys a window or a mask lets through. */
export function gatesOf(result: Result, target: Target, answer: Explanation): Gate[] {
  const weights = result.find(target.tensor, target.group);
  const keys = weights?.shape[keyAxis(weights)] ?? 0;
  // A softmax names the keys that it is over: what mask and window let through together.
  if (answer.terms?.length) {
    const over = new Set(answer.terms.map((term) => term.cell));
    return over.size < keys ? [{ symbol: '', open: Array.from({ length: keys }, (_, j) => over.has(j)) }] : [];
  }
  return answer.feeds.flatMap((feed) => {
    const tensor = result.find(feed.tensor, feed.group);
    const cell = feed.cells[0];
    if (!tensor || !cell || keys < 2 || tensor.shape.at(-1) !== keys || feed.cells.length < 2) return [];
    const row = rowOf(tensor, cell);
    return row.every((x) => x === 0 || x === 1)
      ? [{ symbol: feed.group === 'steps' ? feed.tensor : 'M', open: row.map((x) => x === 1) }] : [];
  });
}

/** The keys that a step picks by number, if the row of weights is what those picks give. */
export function choiceOf(result: Result, target: Target, answer: Explanation): Choice | undefined {
  const weights = result.find(target.tensor, target.group);
  if (!weights) return undefined;
  const row = rowOf(weights, target.index);
  const lead = target.index.slice(0, -1);
  const fed = answer.feeds.flatMap((feed) =>
    (feed.group === 'steps' ? (result.find(feed.tensor, feed.group) ?? []) : []));
  // A mask or an average may stand between the picks and the weights.
  for (const tensor of [...fed, ...result.all('steps')]) {
    const rows = tensor.shape.slice(0, lead.length);
    if (rows.join() !== weights.shape.slice(0, -1).slice(-rows.length).join()) continue;
    // One pick a row, or a list of them behind the row's own axes.
    const listed = tensor.shape.length === weights.shape.length;
    if (!listed && tensor.shape.length !== lead.length) continue;
    const drawn = listed ? rowOf(tensor, [...lead, 0]) : [tensor.data[flat(tensor.shape, lead)] ?? -1];
    if (!picksGive(drawn, row)) continue;
    return { symbol: tensor.name, drawn, chances: chancesFor(result, weights, target.index) };
  }
  return undefined;
}

/** Whether picks by number, averaged, are this row of weights; a row that sees no key is all 0. */
export function picksGive(drawn: ArrayLike<number>, row: ArrayLike<number>): boolean {
  const share = new Float64Array(row.length);
  for (let k = 0; k < drawn.length; k++) {
    const at = drawn[k]!;
    if (!Number.isInteger(at) || at < 0 || at >= row.length) return false;
    share[at]! += 1 / drawn.length;
  }
  return share.every((x, j) => Math.abs(x - row[j]!) <= CLOSE || row[j] === 0) && Array.from(row).some((x) => x !== 0);
}

/** The distribution that weights were drawn from: a step whose rows are one, and not the weights. */
export function chancesOf(result: Result, weights: Tensor): Tensor | undefined {
  const rows = weights.data.length / (weights.shape.at(-1) ?? 1);
  return result.all('steps').find((step) => {
    if (step.shape.join() !== weights.shape.join() || step.data.every((x, k) => Math.abs(x - weights.data[k]!) < CLOSE))
      return false;
    const keys = step.shape.at(-1) ?? 1;
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      for (let j = 0; j < keys; j++) {
        const x = step.data[i * keys + j]!;
        if (!(x >= -CLOSE && x <= 1 + CLOSE)) return false;
        sum += x;
      }
      if (Math.abs(sum - 1) > 1e-3 && Math.abs(sum) > CLOSE) return false;
    }
    return true;
  });
}

function chancesFor(result: Result, weights: Tensor, index: number[]): number[] | undefined {
  const chances = chancesOf(result, weights);
  return chances && rowOf(chances, index);
}
