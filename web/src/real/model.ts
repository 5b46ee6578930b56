// SPDX-License-Identifier: Apache-2.0
// The model on its way to the page: one for all elements of a page.
import given from 'virtual:real';
import { signal } from '@preact/signals-core';
import { holdWeights } from '../engine/kept.ts';
import { ENCODER, modelIsHere } from '../engine/encoder.ts';
import { Delivery, type Loss, Lost } from './download.ts';
import { Pieces } from './pieces.ts';
import type { Ships } from './ships.ts';

/** Undefined where the page was built without the model. */
export const ships: Ships | undefined = given;

export type Stage =
  /** The page was built without the model. */
  | { is: 'absent' }
  | { is: 'offered' }
  | { is: 'loading'; received: number; total: number }
  | { is: 'lost'; why: Loss; received: number; total: number }
  /** `kept`: it is there without a network from now on. */
  | { is: 'here'; pieces: Pieces; kept: boolean };

const stage = signal<Stage>({ is: ships ? 'offered' : 'absent' });
let stopping: AbortController | undefined;
let deliveries: { weights: Delivery; tokenizer: Delivery } | undefined;

export const modelStage = (): Stage => stage.value;

/** How many bytes it has, with its tokenizer. */
export const modelBytes = (): number => (ships ? ships.weights.bytes + ships.tokenizer.bytes : 0);

/** Fetches the model, or what is missing of it; whoever asks while it is on its way gets no second one. */
export async function loadModel(): Promise<void> {
  if (!ships || stage.peek().is === 'loading' || stage.peek().is === 'here') return;
  const { weights, tokenizer } = deliveries ??= { weights: new Delivery(ships.weights),
    tokenizer: new Delivery(ships.tokenizer) };
  stopping = new AbortController();
  const { signal: stopped } = stopping;
  const received = (): number => weights.received + tokenizer.received;
  const tell = (): void => void (stage.value = { is: 'loading', received: received(), total: modelBytes() });
  tell();
  try {
    const small = await tokenizer.load(tell, stopped);
    const large = await weights.load(tell, stopped);
    const pieces = await Pieces.read(new TextDecoder().decode(small.bytes));
    holdWeights(ENCODER, large.bytes);
    modelIsHere.value = true;
    deliveries = undefined;
    stage.value = { is: 'here', pieces, kept: small.kept && large.kept };
  } catch (problem) {
    const why = problem instanceof Lost ? problem.why : 'damaged';
    stage.value = why === 'stopped' ? { is: 'offered' }
      : { is: 'lost', why, received: received(), total: modelBytes() };
  }
}

/** Stops fetching; what is here stays for the next time. */
export const stopLoading = (): void => stopping?.abort();
