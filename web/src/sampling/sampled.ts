// SPDX-License-Identifier: Apache-2.0
import { chancesOf, picksGive } from '../card/rows.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { weightsOf } from '../directory/modules.ts';
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book, Choice } from '../state/catalogue.ts';
import { get, join } from '../engine/pointer.ts';

// What parameters are drawn from that are data: chosen at random, not learned.
const RANDOM = new Set(['uniform', 'gumbel', 'bernoulli']);

export interface Sampled {
  mechanism: Mechanism;
  path: string;
  /** The random numbers themselves, as the run used them. */
  data: Tensor[];
}

/** The mechanisms at work whose weights are drawn at random, and what was drawn. */
export function sampledOf(book: Book, document: Doc, result: Result): Sampled[] {
  const parameters = result.all('parameters');
  return book.choices(document).flatMap(({ mechanism, path }: Choice) => {
    const random = mechanism?.parameters.filter((p) => RANDOM.has(p.distribution)) ?? [];
    const data = random.flatMap((p) =>
      parameters.filter((t) => t.name === p.prefix + p.name || t.name.endsWith(`.${p.prefix}${p.name}`)));
    return mechanism && data.length > 0 ? [{ mechanism, path, data }] : [];
  });
}

/**
 * Where the document says how many draws are averaged: the one whole number that is as large as the random numbers are
 * long.
 */
export function drawsKnob({ mechanism, path, data }: Sampled,
  result: Result): { knob: Mechanism['knobs'][number]; path: string } | undefined {
  const count = data[0]?.shape[0];
  const found = mechanism.knobs.filter((knob) =>
    knob.type === 'integer' && get(result.directory.document, path + join(knob.name)) === count);
  return found.length === 1 ? { knob: found[0]!, path: path + join(found[0]!.name) } : undefined;
}

export interface Pictures {
  weights: Tensor;
  chances: Tensor;
  /** The picks, one list a row, where the computation keeps them: shape of the rows and N. */
  picks: Tensor | undefined;
}

/** The distribution, the picks and their average, where the computation names them. */
export function picturesOf(result: Result): Pictures | undefined {
  const weights = weightsOf(result);
  const chances = weights && chancesOf(result, weights);
  if (!weights || !chances) return undefined;
  const keys = weights.shape.at(-1) ?? 1;
  const picks = result.all('steps')
    .find((step) => step.shape.length === weights.shape.length && isPicks(step, weights, keys));
  return { weights, chances, picks };
}

function isPicks(step: Tensor, weights: Tensor, keys: number): boolean {
  const n = step.shape.at(-1) ?? 1;
  const rows = weights.data.length / keys;
  if (step.shape.slice(0, -1).join() !== weights.shape.slice(0, -1).join()) return false;
  for (let i = 0; i < rows; i++) {
    const row = weights.data.subarray(i * keys, (i + 1) * keys);
    if (row.some((x) => x !== 0) && !picksGive(step.data.subarray(i * n, (i + 1) * n), row)) return false;
  }
  return true;
}

/** One draw as a map of its own: a single 1 in each row. */
export function oneDraw(weights: Tensor, picks: Tensor, draw: number): Tensor {
  const keys = weights.shape.at(-1) ?? 1;
  const n = picks.shape.at(-1) ?? 1;
  const data = new Float32Array(weights.data.length);
  for (let i = 0; i < data.length / keys; i++) {
    const at = i * keys + (picks.data[i * n + draw] ?? 0);
    // Where even the average is zero the key is masked.
    if (weights.data[at] !== 0) data[at] = 1;
  }
  return { ...weights, data };
}

export function minus(a: Tensor, b: Tensor): Tensor {
  return { ...a, data: a.data.map((x, k) => x - b.data[k]!) };
}

export function furthest(tensor: Tensor): number {
  return tensor.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}
