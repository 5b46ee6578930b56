// SPDX-License-Identifier: Apache-2.0
// A step of a training as a moment that opens elsewhere: a document and the weights that it asks for.
import type { Doc } from '../engine/types.ts';
import { REMEMBERED } from '../files/packed.ts';
import { sumOf } from '../files/checksum.ts';
import { readWeights, type WeightsFile, writeWeights } from '../files/weights.ts';
import type { TrainingDocument } from '../train/messages.ts';
import type { Kept } from './memory.ts';

export type TrainedMoment = Kept & { file?: [name: string, bytes: Uint8Array] };

/** Without what an optimiser remembers, and without the document, which stands beside it. */
function weightsOf(bytes: Uint8Array): Uint8Array {
  const { tensors } = readWeights(bytes);
  const kept: WeightsFile = { metadata: {}, tensors: new Map([...tensors].filter(([name]) =>
    !name.startsWith(REMEMBERED))) };
  return writeWeights(kept);
}

/** Before the first step the weights are those of the seed; of a later step without `bytes` there are none. */
export function momentOf(document: TrainingDocument, step: number, name: string, bytes: Uint8Array | undefined):
TrainedMoment | undefined {
  const { parameters: _, ...model } = document as unknown as Doc;
  if (bytes === undefined) return step === 0 ? { name, document: structuredClone(document) as unknown as Doc }
    : undefined;
  const file = weightsOf(bytes);
  const called = `own-lecture-${sumOf(file).toString(36)}-${step}.safetensors`;
  return { name, document: { ...structuredClone(model), parameters: { from: called } } as Doc, file: [called, file] };
}
