// SPDX-License-Identifier: Apache-2.0
// A row of weights along its keys, wherever that axis lies, and how widely it is spread.
import { chosenFor } from './heads.ts';
import { type Plane, plane, type Result, type Tensor, valueAt } from '../engine/result.ts';
import { axisOf, typed } from './typed.ts';

const CLOSE = 1e-4;

/** The axis that runs over the keys: of a weight for each feature it is not the last one. */
export function keyAxis(tensor: Tensor): number {
  const axis = axisOf(typed(tensor), 'key');
  return axis < 0 ? tensor.shape.length - 1 : axis;
}

/** The numbers of the row of keys that a cell lies in. */
export function rowOf(tensor: Tensor, index: number[]): number[] {
  const axis = keyAxis(tensor);
  return Array.from({ length: tensor.shape[axis] ?? 1 }, (_, j) =>
    valueAt(tensor, (tensor.row === undefined ? index : index.with(-2, tensor.row)).with(axis, j)));
}

// The mask over these weights, where one is computed.
function masking(result: Result, weights: Tensor): Tensor | undefined {
  const mask = result.all('outputs').find((t) => t.role === 'mask' && t.within === weights.within);
  return mask && mask.shape[keyAxis(mask)] === weights.shape[keyAxis(weights)] ? mask : undefined;
}

/** What a mask says of the row that a cell of weights lies in, where one is computed. */
export function maskOf(result: Result, weights: Tensor, index: number[]): number[] | undefined {
  const mask = masking(result, weights);
  if (!mask) return undefined;
  // Weights may have axes that their mask has not: heads in front, features behind.
  const lead = typed(weights).dimensions;
  const cell = typed(mask).dimensions.map(({ role }) => index[lead.findIndex((one) => one.role === role)] ?? 0);
  return cell.every((at, k) => at < (mask.shape[k] ?? 0)) ? rowOf(mask, cell) : undefined;
}

/** How widely a row of weights is spread, and how widely it would be if all keys that it may see were alike. */
export interface Spread {
  bits: number;
  most: number;
  /** The place of the row among the queries; undefined where nobody asks. */
  asks: number | undefined;
}

/** In bits; undefined where the row is no distribution over keys. */
export function spreadOf(result: Result, tensor: Tensor, index: number[]): Spread | undefined {
  if (axisOf(typed(tensor), 'key') < 0) return undefined;
  const row = rowOf(tensor, index);
  const sum = row.reduce((all, weight) => all + weight, 0);
  if (row.some((weight) => !(weight >= -CLOSE)) || Math.abs(sum - 1) > 1e-3) return undefined;
  const open = maskOf(result, tensor, index)?.filter((one) => one !== 0).length ?? row.length;
  if (open < 2) return undefined;
  const query = axisOf(typed(tensor), 'query');
  return { bits: row.reduce((all, weight) => (weight > 0 ? all - weight * Math.log2(weight) : all), 0),
    most: Math.log2(open),
    asks: query < 0 || (tensor.shape[query] ?? 1) < 2 ? undefined : (index[query] ?? 0) };
}

/**
 * The entropy in bits that the rows of a map would have on the mean if each gave the same to all keys that it may see.
 * Rows without weight do not count, as in the mean itself. Undefined where not all rows of map and mask are here.
 */
export function mostOnMean(result: Result, shown: Plane): number | undefined {
  const { tensor, rows, cols } = shown;
  const mask = masking(result, tensor);
  if (mask && (tensor.row !== undefined || mask.row !== undefined)) return undefined;
  const open = mask && plane(mask, heldIn(shown));
  let [sum, count] = [0, 0];
  for (let i = 0; i < rows; i++) {
    let [weight, keys] = [0, 0];
    for (let j = 0; j < cols; j++) {
      weight += shown.at(i, j);
      if (!open || open.at(open.rows > 1 ? i : 0, j) !== 0) keys++;
    }
    if (weight <= 0) continue;
    sum += Math.log2(Math.max(1, keys));
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

const heldIn = ({ tensor, held }: Plane): Record<string, number> =>
  Object.assign({}, ...tensor.places.map((_, k) => chosenFor(tensor, k, held[k] ?? 0, {}))) as Record<string, number>;
