// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Directory, Doc, JsonObject } from './types.ts';

/** The name by which documents ask for the encoder's weights. */
export const ENCODER = 'use-lite.safetensors';

/** Whether the document is the sentence encoder, whatever has been changed in it. */
export const isEncoder = (document: Doc): boolean =>
  (document['parameters'] as JsonObject | undefined)?.['from'] === ENCODER;

/** What the engine objects to; that the model reads one sentence, while others wait beside it, is no slip. */
export const warningsOf = ({ document, warnings }: Directory): Directory['warnings'] =>
  (isEncoder(document) ? warnings.filter(({ path }) => !/^\/inputs\/sentence-\d+$/.test(path)) : warnings);

/** Whether its weights are here. */
export const modelIsHere = signal(false);

/** The document in whose place the encoder comes once it is here: its picture is laid out already. */
export const opening = signal<Doc | undefined>(undefined);

/** Whether the document cannot be computed before the reader lets the page fetch the model. */
export const waitsForModel = (document: Doc): boolean => isEncoder(document) && !modelIsHere.peek();
