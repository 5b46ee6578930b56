// SPDX-License-Identifier: Apache-2.0
// The encoder as a document: its first sentence is what the model reads, the others wait beside it.
import template from '../../../tools/real/document.json';
import type { Doc, JsonObject } from '../engine/types.ts';
import { asInput, type Cut, ofInput, type Pieces } from './pieces.ts';

export const MOST_SENTENCES = 8;

/** The input of sentence k, from 0: the model reads the first. */
export const nameOf = (k: number): string => (k === 0 ? 'text' : `sentence-${k + 1}`);

/** What the page opens the encoder with. */
export const FIRST = ['The bank of the river', 'The bank lent him money'] as const;

export function encoderDocument(pieces: Pieces, texts: readonly string[] = FIRST): Doc {
  const document = structuredClone(template) as unknown as Doc;
  texts.forEach((text, k) => (document.inputs[nameOf(k)] = asInput(pieces.cut(text))));
  return document;
}

/** The sentences that a document holds, in order. */
export function sentencesOf(document: Doc): Cut[] {
  return Array.from({ length: MOST_SENTENCES }, (_, k) => ofInput(document.inputs[nameOf(k)] as JsonObject | undefined))
    .filter((cut) => cut !== undefined);
}

/** The document that reads one sentence alone. */
export const reading = (document: Doc, cut: Cut): Doc => ({ ...document, inputs: { [nameOf(0)]: asInput(cut) } });
