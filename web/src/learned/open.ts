// SPDX-License-Identifier: Apache-2.0
// A trained system is one file: its weights, and in the metadata the document that they were trained for.
import { weightsNamed } from '../engine/weight-files.ts';
import type { Doc } from '../engine/types.ts';
import { readWeights } from '../files/weights.ts';
import { parse } from '../state/parse.ts';
import type { Learned } from './types.ts';

/** The document in a file of weights, which asks for them by this name. Throws where the file is damaged. */
export function documentIn(name: string, file: Uint8Array): Doc {
  const { metadata: { document } } = readWeights(file);
  if (document === undefined) throw new Error(`${name} has no document in its metadata`);
  const found = parse(document);
  if (!('document' in found)) throw new Error(`the document in ${name} cannot be read: ${found.problem}`);
  return { ...found.document, parameters: { from: name } } as Doc;
}

/** The document of a trained system, which comes with its weights; why not, where they do not come. */
export async function trained(one: Pick<Learned, 'weights'> | undefined, document: Doc | undefined):
Promise<{ document: Doc | undefined; lost?: string }> {
  if (!one) return { document };
  try {
    const file = await weightsNamed(one.weights);
    if (!file) throw new Error(one.weights);
    return { document: documentIn(one.weights, file) };
  } catch (problem) {
    return { document, lost: (problem as Error).message };
  }
}
