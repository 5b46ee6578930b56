// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Doc, JsonObject } from './types.ts';

/** The name by which documents ask for the encoder's weights. */
export const ENCODER = 'use-lite.safetensors';

/** Whether the document is the sentence encoder, whatever has been changed in it. */
export const isEncoder = (document: Doc): boolean =>
  (document['parameters'] as JsonObject | undefined)?.['from'] === ENCODER;

/** Whether its weights are here. */
export const modelIsHere = signal(false);

/** The document in whose place the encoder comes once it is here: its picture is laid out already. */
export const opening = signal<Doc | undefined>(undefined);

/** Whether the document cannot be computed before the reader lets the page fetch the model. */
export const waitsForModel = (document: Doc): boolean => isEncoder(document) && !modelIsHere.peek();
