// SPDX-License-Identifier: Apache-2.0
// Models of other programs that documents name: what the file of their weights says beside the weights.
import { signal } from '@preact/signals-core';
import { keptFile } from '../engine/kept.ts';
import { LANGUAGE } from '../engine/language.ts';
import type { WeightsData } from '../files/data.ts';
import { comesWithPage, weightsNamed } from '../engine/weight-files.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { countsIn, hasLargeInt8, readHeader } from '../files/weights.ts';
import { isObject } from '../engine/pointer.ts';
import type { Preparation } from '../image/prepare.ts';
import type { Writes } from './types.ts';

/** A model whose weights are here. */
export interface Model {
  name: string;
  file: WeightsData;
  writes: Writes;
  /** Whether its tokenizer came with it; without one, texts are token numbers. */
  tokenizer: boolean;
  /** Whether it has large int8 matrices, so that activations can be int8, too. */
  hasInt8: boolean;
  /** How many numbers each of its parameters has. */
  counts: ReadonlyMap<string, number>;
}

const known = signal<ReadonlyMap<string, Model | undefined>>(new Map());
const asked = new Set<string>();

const metadataIn = ({ __metadata__: metadata }: JsonObject): Record<string, unknown> =>
  (isObject(metadata) ? metadata : {});

/** The header of a file of weights, without a look at any number. */
export const metadataOf = async (file: WeightsData): Promise<Record<string, unknown>> =>
  metadataIn(await readHeader(file) as JsonObject);

function isWrites(value: unknown): value is Writes {
  const { input, predicts, kind } = (value ?? {}) as Partial<Writes>;
  return typeof input === 'string' && typeof predicts === 'string'
    && (kind === 'next' || kind === 'masked' || kind === 'classes');
}

async function find(name: string, given?: WeightsData): Promise<Model | undefined> {
  try {
    const file = given ?? (name === LANGUAGE ? await weightsNamed(name) : await keptFile(name));
    if (!file) return undefined;
    const header = await readHeader(file) as JsonObject;
    const metadata = metadataIn(header);
    const writes: unknown = JSON.parse(String(metadata['writes'] ?? 'null'));
    const hasInt8 = hasLargeInt8(header);
    return isWrites(writes) ? { name, file, writes, hasInt8, counts: countsIn(header),
      tokenizer: typeof metadata['tokenizer'] === 'string' } : undefined;
  } catch {
    return undefined; // whoever computes with the file says what is wrong with it
  }
}

/** Knows a model before its document is shown, so that nothing of its texts comes later. */
export async function knowModel(name: string, file: WeightsData): Promise<void> {
  const model = await find(name, file);
  if (!model) return;
  asked.add(name);
  known.value = new Map([...known.peek(), [name, model]]);
}

/** How the model of a document is given pictures at this input; undefined where it reads none there. */
export function preparationOf(document: Doc, input: string): Preparation | undefined {
  const writes = modelOf(document)?.writes;
  return writes?.kind === 'classes' && writes.input === input ? writes.picture ?? {} : undefined;
}

/**
 * The model of a document; undefined where it has none, and until it is known. A part that reads it draws itself again.
 */
export function modelOf(document: Doc): Model | undefined {
  const { parameters } = document;
  const from = isObject(parameters) ? parameters['from'] : undefined;
  // Other weights that ship with the page belong to systems, which answer by themselves, or to the encoder.
  if (typeof from !== 'string' || (comesWithPage(from) && from !== LANGUAGE)) return undefined;
  if (!asked.has(from)) {
    asked.add(from);
    void find(from).then((model) => {
      // What is not here may come later: whoever draws again asks again, but nobody draws again because of it.
      if (!model) return void asked.delete(from);
      known.value = new Map([...known.peek(), [from, model]]);
    });
  }
  return known.value.get(from);
}
