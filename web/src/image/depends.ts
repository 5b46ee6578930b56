// SPDX-License-Identifier: Apache-2.0
// What a result depends on: how much it would change with each pixel. The engine's own gradient, so that it holds for
// every module that reads an image.
import { contextOf } from '../directory/outcome.ts';
import { Result, slopeName, type Tensor } from '../engine/result.ts';
import type { Doc, Target } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import type { Shares } from './shares.ts';

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
  return tensor && { tensor, cell: undefined };
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
  const data = new Array<number>(tensor.data.length).fill(cell ? 0 : 1);
  if (cell) data[tensor.shape.reduce((at, size, k) => at * size + (cell.index[k] ?? 0), 0)] = 1;
  document['gradient'] = { of: tensor.name, cotangent: { shape: tensor.shape, data }, outputs: true };
  const reply = await store.sessions.client.send({ kind: 'slope', document: JSON.stringify(document) });
  const directory = reply?.data ? JSON.parse(reply.text) : undefined;
  const slope = directory?.ok ? new Result(directory, reply!.data!).find(slopeName({ group: 'inputs', name: input }),
    'gradients') : undefined;
  return slope && sizes(slope);
}
