// SPDX-License-Identifier: Apache-2.0
// What a result depends on: how much it would change with each pixel. The engine's own gradient, so that it holds for
// every module that reads an image.
import { naming } from '../directory/naming.ts';
import { compute } from '../engine/compute.ts';
import { contextOf } from '../directory/outcome.ts';
import { slopeName, type Tensor } from '../engine/result.ts';
import type { Doc, Target } from '../engine/types.ts';
import { inWords } from '../flow/highlight.ts';
import type { Store } from '../state/store.ts';
import { allAlike, largest, type Shares } from './shares.ts';
import { words } from './words.ts';

const LARGEST = 200_000;
/** Stands for this among what can be laid over an image. */
export const DEPENDS = '?';

/** The locked cell of an output, or else all that the computation gives in the end. */
export function subjectOf(store: Store): { tensor: Tensor; cell: Target | undefined } | undefined {
  const { result } = store.sessions;
  const { lock } = store.selection;
  const locked = lock?.group === 'outputs' ? result?.whole(lock.tensor, 'outputs') : undefined;
  if (locked && locked.data.length <= LARGEST) return { tensor: locked, cell: lock };
  const tensor = result && contextOf(result);
  // Of one row of chances it is the largest that is asked about: all of them together are 1, whatever the pixels are.
  const alone = tensor?.kind === 'probability' && tensor.shape.slice(0, -1).every((size) => size === 1);
  const index = alone ? tensor.shape.map((_, k) => (k < tensor.shape.length - 1 ? 0 : largestAt(tensor.data))) : [];
  return tensor && { tensor, cell: alone ? { group: tensor.group, tensor: tensor.name, index } : undefined };
}

const largestAt = (row: ArrayLike<number>): number => Array.from(row).reduce((best, value, k) =>
  (value > row[best]! ? k : best), 0);

/** What is added up: the one cell, all of them, or of chances the largest of each row. */
export function cotangent({ shape, data, kind }: Pick<Tensor, 'shape' | 'data' | 'kind'>, index?: number[]): number[] {
  const all = new Array<number>(data.length).fill(index || kind === 'probability' ? 0 : 1);
  if (index) all[shape.reduce((at, size, k) => at * size + (index[k] ?? 0), 0)] = 1;
  else if (kind === 'probability') {
    const width = shape.at(-1) ?? 1;
    for (let at = 0; at < data.length; at += width) all[at + largestAt(data.subarray(at, at + width))] = 1;
  }
  return all;
}

/** Sizes of the slopes at each pixel, of all its channels together. */
export function sizes(slope: Pick<Tensor, 'shape' | 'data'>): Shares {
  const [rows = 1, cols = 1, channels = 1] = slope.shape;
  const at = (row: number, col: number) => {
    let sum = 0;
    for (let c = 0; c < channels; c++) sum += Math.abs(slope.data[(row * cols + col) * channels + c] ?? 0);
    return sum;
  };
  return { rows, cols, at };
}

export async function depends(store: Store, input: string): Promise<Shares | undefined> {
  const { result } = store.sessions;
  const subject = subjectOf(store);
  if (!result || !subject) return undefined;
  const document: Doc = structuredClone(result.directory.document);
  const { tensor, cell } = subject;
  document['gradient'] = { of: tensor.name, cotangent: { shape: tensor.shape, data: cotangent(tensor, cell?.index) },
    outputs: true };
  const answer = await compute(store.sessions.client, document, `depends ${input}`);
  const slope = answer?.result?.find(slopeName({ group: 'inputs', name: input }), 'gradients');
  return slope && sizes(slope);
}

/** What depends most on which place, in a sentence. */
export function saysDepending(store: Store, shares: Shares | undefined): string {
  const subject = subjectOf(store);
  if (!shares || !subject) return '';
  const { row, col, value } = largest(shares);
  const { cell, tensor } = subject;
  const likeliest = cell && store.selection.lock === undefined
    ? words().likeliest((cell.index.at(-1) ?? 0) + 1) : undefined;
  const what = likeliest ?? (cell ? inWords(store, cell) || naming(tensor).one : naming(tensor).title);
  if (value > 0 && shares.rows * shares.cols > 1 && allAlike(shares)) return words().dependsAlike(what);
  return value > 0 ? words().dependsMost(what, words().patch(row, col)) : words().dependsNot(what);
}
