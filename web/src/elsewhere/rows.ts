// SPDX-License-Identifier: Apache-2.0
// One token in two sentences: the row of a tensor that belongs to it in the results of both.
import { flat, type Result, type Tensor } from '../engine/result.ts';
import type { Doc, Target } from '../engine/types.ts';

/** A row of a tensor that belongs to a token. */
export interface Row {
  values: Float32Array;
  /** The keys that its numbers are weights of; undefined where they are features. */
  keys: readonly string[] | undefined;
  /** How often the token occurs. */
  times: number;
}

/** The axis of a tensor along which tokens have rows; -1 where there is none. */
export const tokenAxis = ({ shape, dimensions }: Pick<Tensor, 'shape' | 'dimensions'>): number => {
  const k = shape.length - 2;
  return k >= 0 && dimensions?.[k]?.labels !== undefined ? k : -1;
};

/** The token whose row a cell is in. */
export function tokenOf(result: Result, { tensor: name, group, index }: Target): string | undefined {
  const tensor = result.whole(name, group);
  const axis = tensor ? tokenAxis(tensor) : -1;
  return axis < 0 ? undefined : result.labels(tensor!.places[axis]!)?.[index[axis]!];
}

/**
 * The input that another sentence is typed into: that of the keys where there are some, since what is written follows
 * from what is read; else that of the rows. Undefined where it holds no tokens.
 */
export function inputOf(document: Doc, tensor: Pick<Tensor, 'dimensions'>): string | undefined {
  const names = (tensor.dimensions ?? []).slice(-2).map(({ labels }) => labels);
  const name = names.at(-1) ?? names[0];
  const input = name === undefined ? undefined : document.inputs[name];
  return Array.isArray(input?.['tokens']) || Array.isArray(input?.['labels']) ? name : undefined;
}

/** The input of the rows' tokens, if it is not the one that is typed into, because what is written follows from it. */
export function writtenTo(document: Doc, tensor: Pick<Tensor, 'dimensions'>): string | undefined {
  const rows = tensor.dimensions?.at(-2)?.labels;
  return rows === inputOf(document, tensor) ? undefined : rows;
}

/** The row of the first such token, at the head of a cell; undefined where there is no such token. */
export function rowOf(result: Result, { tensor: name, group, index }: Target, token: string,
  own = false): Row | undefined {
  const tensor = result.whole(name, group);
  const axis = tensor ? tokenAxis(tensor) : -1;
  if (!tensor || axis < 0 || tensor.shape.length !== index.length) return undefined;
  const labels = result.labels(tensor.places[axis]!) ?? [];
  const at = own ? index[axis]! : labels.indexOf(token);
  if (at < 0 || at >= tensor.shape[axis]!) return undefined;
  const from = flat(tensor.shape, [...index.slice(0, axis), at, 0]);
  return { values: tensor.data.subarray(from, from + tensor.shape.at(-1)!), times: labels.filter((one) =>
    one === token).length, keys: result.labels(tensor.places.at(-1)!) };
}

/** The cosine of two vectors; undefined where they differ in length or one of them is 0. */
export function cosine(one: Float32Array, other: Float32Array): number | undefined {
  if (one.length !== other.length) return undefined;
  let [product, first, second] = [0, 0, 0];
  one.forEach((value, k) => {
    product += value * other[k]!;
    first += value * value;
    second += other[k]! * other[k]!;
  });
  return first > 0 && second > 0 ? product / Math.sqrt(first * second) : undefined;
}

/** Of the module of some weights the last result that has a row for each of the same tokens. */
export function outcomeOf(result: Result, weights: Tensor): Tensor | undefined {
  const axis = tokenAxis(weights);
  const words = weights.dimensions?.[axis]?.labels;
  const parent = (name: string | undefined) => result.directory.modules?.find((one) => one.name === name)?.parent;
  const around = [weights.within, parent(weights.within)];
  const fits = (one: Tensor) => (one.role === 'context' || one.role === 'output') && one.shape.length === 2
    && one.dimensions?.[0]?.labels === words && one.dimensions?.[1]?.role === 'feature';
  for (const module of around.toReversed())
    if (module !== undefined) {
      const found = result.all('outputs').findLast((one) => one.within === module && fits(one));
      if (found) return found;
    }
  return undefined;
}

/** The places of a row from its largest weight to its smallest. */
export const ranked = ({ values }: Row): number[] =>
  Array.from(values.keys()).toSorted((a, b) => values[b]! - values[a]! || a - b);
