// SPDX-License-Identifier: Apache-2.0
// The model that the page opens on, as long as it is still that model.
import type { Doc, JsonObject } from '../engine/types.ts';
import { derived } from '../state/derived.ts';
import { isTrained } from '../state/writer.ts';
import { kin } from './notice.ts';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const without = (document: Doc): Doc => ({ ...document, inputs: {} });

/** The page set out from its example, whatever was changed since. */
export const isFirst = derived(({ documents, example }) => same(documents.base, example));

/** It still is the example's model but for the words and the numbers of its settings. */
export const isFirstModel = derived(({ documents, example }) => kin(without(example), without(documents.document)));

/** The words are the example's too. */
export const hasFirstWords = derived(({ documents, example }) => same(documents.document.inputs, example.inputs));

/** The document is a model that was trained. */
export const showsTrained = derived(({ documents }) => isTrained(documents.document));

/**
 * How many examples a finished training has seen, those that came again counted each time. Of the example that comes
 * with the page: its `training` is that of its weights (a test compares them), whatever the reader sets since.
 */
export function learnedFrom(example: Doc): number {
  const { steps, batch } = (example['training'] ?? {}) as JsonObject;
  return typeof steps === 'number' && typeof batch === 'number' ? steps * batch : 0;
}
