// SPDX-License-Identifier: Apache-2.0
// Models of other programs that documents name: what the file of their weights says beside the weights.
import { signal } from '@preact/signals-core';
import { comesWithPage, weightsNamed } from '../engine/named.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { isObject } from '../state/catalogue.ts';
import type { Writes } from './types.ts';

/** A model whose weights are here. */
export interface Model {
  name: string;
  bytes: Uint8Array;
  writes: Writes;
  /** Whether its tokenizer came with it; without one, texts are token numbers. */
  tokenizer: boolean;
}

const LENGTH = 8;
const known = signal<ReadonlyMap<string, Model | undefined>>(new Map());
const asked = new Set<string>();

/** The header of a file of weights, without a look at any number. */
export function metadataOf(bytes: Uint8Array): Record<string, unknown> {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, LENGTH).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH, LENGTH + length))) as JsonObject;
  const { __metadata__: metadata } = header;
  return isObject(metadata) ? metadata : {};
}

function isWrites(value: unknown): value is Writes {
  const { input, predicts, kind } = (value ?? {}) as Partial<Writes>;
  return typeof input === 'string' && typeof predicts === 'string' && (kind === 'next' || kind === 'masked');
}

async function find(name: string): Promise<Model | undefined> {
  try {
    const bytes = await weightsNamed(name);
    if (!bytes || bytes.length < LENGTH) return undefined;
    const metadata = metadataOf(bytes);
    const writes: unknown = JSON.parse(String(metadata['writes'] ?? 'null'));
    return isWrites(writes) ? { name, bytes, writes, tokenizer: typeof metadata['tokenizer'] === 'string' } : undefined;
  } catch {
    return undefined; // whoever computes with the file says what is wrong with it
  }
}

/**
 * The model of a document; undefined where it has none, and until it is known. A part that reads it draws itself again.
 */
export function modelOf(document: Doc): Model | undefined {
  const { parameters } = document;
  const from = isObject(parameters) ? parameters['from'] : undefined;
  // What ships with the page was trained here, or has a place of its own.
  if (typeof from !== 'string' || comesWithPage(from)) return undefined;
  if (!asked.has(from)) {
    asked.add(from);
    void find(from).then((model) => {
      // What is not here may come later.
      if (!model) asked.delete(from);
      known.value = new Map([...known.peek(), [from, model]]);
    });
  }
  return known.value.get(from);
}
