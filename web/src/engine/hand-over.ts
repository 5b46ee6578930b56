// SPDX-License-Identifier: Apache-2.0
// The way of a file of weights into a module.
import { FileProblem, sizeOfFile, type WeightsData } from '../files/data.ts';
import type { PassedPart } from '../files/file-parts.ts';
import { partsOf, release } from '../files/slices.ts';
import type { Engine, Located } from './types.ts';

type Taker = Pick<Engine, 'weights'> & Partial<Pick<Engine, 'forgetWeights'>>;
/** Has the module do something, a new one where the last one died. */
export type Calling = <Answer>(work: (module: Taker) => Answer) => Promise<Answer>;

/** Hands a module the next part of a file; throws what the module says against it. */
export async function handPart(name: string, { size, at, bytes }: PassedPart, call: Calling): Promise<void> {
  const said = JSON.parse(await call((module) => module.weights(name, size, at, bytes))) as { error?: Located };
  if (said.error) throw new FileProblem(said.error.message);
}

/**
 * Hands a module a file of weights, part by part; throws what the module says against it. `progress`: so many bytes are
 * handed over, of all.
 */
export async function handOver(name: string, file: WeightsData, call: Calling,
  progress?: (done: number, all: number) => void): Promise<void> {
  const size = sizeOfFile(file);
  for await (const part of partsOf(name, file)) {
    await handPart(name, { ...part, size }, call);
    progress?.(part.at + part.bytes.length, size);
    if (file instanceof Blob) release(part.bytes);
  }
}
